import { beforeEach, describe, expect, it } from "vitest";
import { TodoStore } from "../../src/todo/todo-store.ts";
import { createTodoWriteTool, TODO_WRITE_NAME, TODO_WRITE_SPEC } from "../../src/todo/todo-write.ts";
import type { Tool, ToolContext } from "../../src/tools/definition.ts";
import { formatInputErrors } from "../../src/tools/input-errors.ts";
import { toolSpecOf } from "../../src/tools/tool-spec.ts";

let store: TodoStore;
let tool: Tool;
beforeEach(() => {
	store = new TodoStore();
	tool = createTodoWriteTool(store);
});

const execute = async (input: unknown) => tool.execute(input, {} as ToolContext);
const error = (content: string) => ({ content, isError: true });
const THREE = {
	todos: [
		{ content: "Read UserService.kt", status: "completed" },
		{ content: "Add logging", status: "in_progress" },
		{ content: "Fix NPE", status: "pending" },
	],
};

describe("todo_write", () => {
	it("execute replaces todo store with given items", async () => {
		await execute(THREE);
		expect(store.getAll()).toEqual(THREE.todos);
	});

	it("execute returns summary containing status overview", async () => {
		expect(await execute(THREE)).toBe(
			"Todo list updated (1/3 completed, 1 in progress, 1 pending):\n" +
				"  1. [x] Read UserService.kt\n  2. [~] Add logging\n  3. [ ] Fix NPE",
		);
	});

	it("execute with empty todos array clears the store", async () => {
		await execute(THREE);
		expect(await execute({ todos: [] })).toBe("Todo list updated (0/0 completed, 0 in progress, 0 pending):");
		expect(store.size()).toBe(0);
	});

	it("execute returns error when todos is missing", async () => {
		expect(await execute({})).toEqual(error("Error: todos is required and must be an array"));
	});

	it("execute returns error when todos is not an array", async () => {
		for (const todos of ["x", 1, null, { 0: "x" }]) {
			expect(await execute({ todos })).toEqual(error("Error: todos is required and must be an array"));
		}
		expect(await execute("todos")).toEqual(error("Error: todos is required and must be an array"));
	});

	it("execute returns error when todo item is not an object", async () => {
		for (const item of ["x", 1, null, []]) {
			expect(await execute({ todos: [item] })).toEqual(error("Error: todos[0] must be an object"));
		}
	});

	it("execute returns error when content is missing", async () => {
		for (const content of [undefined, null, 5, "", "  "]) {
			expect(await execute({ todos: [{ content, status: "pending" }] })).toEqual(
				error("Error: todos[0].content is required and must be a string"),
			);
		}
	});

	it("execute returns error when status is missing", async () => {
		for (const status of [undefined, null, 5]) {
			expect(await execute({ todos: [{ content: "a", status }] })).toEqual(
				error("Error: todos[0].status is required and must be a string"),
			);
		}
	});

	it("execute returns error when status value is invalid", async () => {
		expect(await execute({ todos: [{ content: "a", status: "x" }] })).toEqual(
			error("Error: todos[0].status 'x' is invalid; must be one of: pending, in_progress, completed"),
		);
	});

	it("execute accepts status case-insensitively", async () => {
		await execute({
			todos: [
				{ content: "a", status: "COMPLETED" },
				{ content: "b", status: "In_Progress" },
				{ content: "c", status: "Pending" },
			],
		});
		expect(store.getAll().map(({ status }) => status)).toEqual(["completed", "in_progress", "pending"]);
	});

	it("execute replaces previous list completely", async () => {
		await execute(THREE);
		await execute({ todos: [{ content: "Only", status: "pending" }] });
		expect(store.getAll()).toEqual([{ content: "Only", status: "pending" }]);
	});

	it("execute reports error index correctly for second item", async () => {
		expect(await execute({ todos: [{ content: "a", status: "pending" }, { content: "b" }] })).toEqual(
			error("Error: todos[1].status is required and must be a string"),
		);
	});

	it("leaves the store untouched on every error", async () => {
		await execute(THREE);
		for (const todos of [undefined, "x", ["x"], [{}], [{ content: "a" }], [{ content: "a", status: "x" }]]) {
			await execute({ todos });
		}
		expect(store.getAll()).toEqual(THREE.todos);
	});

	it("refuses more than one item in progress", async () => {
		const todos = ["in_progress", "pending", "in_progress"].map((status) => ({ content: "a", status }));
		expect(await execute({ todos })).toEqual(
			error("Error: only one todo may be in_progress, but todos[0] and todos[2] are"),
		);
	});

	it("refuses more than 20 items and says so", async () => {
		const todos = Array.from({ length: 21 }, () => ({ content: "a", status: "pending" }));
		expect(await execute({ todos })).toEqual(error("Error: todos has 21 items; at most 20 are allowed"));
		expect(await execute({ todos: todos.slice(1) })).toMatch(/^Todo list updated \(0\/20 completed/);
	});

	it("shows the active form while an item is in progress, and only then", async () => {
		const todos = [
			{ content: "Add logging", status: "in_progress", activeForm: "Adding logging" },
			{ content: "Fix NPE", status: "pending", activeForm: "Fixing NPE" },
			{ content: "Read", status: "completed", activeForm: null },
		];
		expect(await execute({ todos })).toBe(
			"Todo list updated (1/3 completed, 1 in progress, 1 pending):\n" +
				"  1. [~] Add logging (Adding logging)\n  2. [ ] Fix NPE\n  3. [x] Read",
		);
		expect(await execute({ todos: [{ content: "a", status: "pending", activeForm: 1 }] })).toEqual(
			error("Error: todos[0].activeForm must be a string"),
		);
	});

	it("keeps an item of several lines on one line of the overview", async () => {
		expect(await execute({ todos: [{ content: "one\n  two", status: "pending" }] })).toBe(
			"Todo list updated (0/1 completed, 0 in progress, 1 pending):\n  1. [ ] one two",
		);
	});

	it("is refused with the same texts before it runs", () => {
		const parsed = tool.inputSchema.safeParse({ todos: [{ content: "a", status: "x" }] });
		expect(parsed.success ? "" : formatInputErrors(parsed.error.issues)).toBe(
			"Error: todos[0].status 'x' is invalid; must be one of: pending, in_progress, completed",
		);
		expect(tool.inputSchema.safeParse(THREE).success).toBe(true);
	});

	it("tells the model the shape of its input", async () => {
		expect(TODO_WRITE_NAME).toBe("todo_write");
		expect(await toolSpecOf(tool)).toEqual(TODO_WRITE_SPEC);
		expect(TODO_WRITE_SPEC.input_schema).toMatchObject({
			type: "object",
			properties: {
				todos: {
					type: "array",
					items: {
						properties: { status: { enum: ["pending", "in_progress", "completed"] } },
						required: ["content", "status"],
					},
				},
			},
			required: ["todos"],
		});
	});

	it("gives every agent a list of its own", async () => {
		const other = new TodoStore();
		await execute(THREE);
		await createTodoWriteTool(other).execute({ todos: [] }, {} as ToolContext);
		expect([store.size(), other.size()]).toEqual([3, 0]);
	});
});
