import { describe, expect, it } from "vitest";
import { CONTINUE } from "../../src/hooks/events.ts";
import { HookManager } from "../../src/hooks/hook-manager.ts";
import { TodoDisplayHook } from "../../src/todo/todo-display-hook.ts";

function setUp() {
	const shown: string[] = [];
	const errors: unknown[] = [];
	const hooks = new HookManager((thrown) => errors.push(thrown));
	new TodoDisplayHook((text) => shown.push(text)).registerTo(hooks);
	const fire = (toolName: string, content: string, isError = false) =>
		hooks.fire("PostToolUse", {
			toolUseId: "toolu_1",
			toolName,
			input: {},
			result: { content, isError, durationMs: 1 },
		});
	return { shown, errors, hooks, fire };
}

describe("TodoDisplayHook", () => {
	it("shows the overview after todo_write", async () => {
		const { shown, fire } = setUp();
		await fire("todo_write", "Todo list updated (0/0 completed, 0 in progress, 0 pending):");
		expect(shown).toEqual(["Todo list updated (0/0 completed, 0 in progress, 0 pending):"]);
	});

	it("shows nothing after an error", async () => {
		const { shown, fire } = setUp();
		await fire("todo_write", "Error: todos is required and must be an array", true);
		expect(shown).toEqual([]);
	});

	it("shows nothing after another tool", async () => {
		const { shown, fire } = setUp();
		for (const name of ["read_file", "TodoWrite", "todo_write_2", ""]) await fire(name, "text");
		expect(shown).toEqual([]);
	});

	it("answers continue and never replaces the result", async () => {
		const { fire } = setUp();
		expect(await fire("todo_write", "list")).toEqual(CONTINUE);
		expect(await fire("todo_write", "Error", true)).toEqual(CONTINUE);
		expect(await fire("bash", "text")).toEqual(CONTINUE);
	});

	it("listens to nothing but PostToolUse", async () => {
		const { shown, hooks } = setUp();
		await hooks.fire("PreToolUse", { toolUseId: "toolu_1", toolName: "todo_write", input: {} });
		expect(shown).toEqual([]);
	});

	it("does not stop the agent when its output fails", async () => {
		const errors: unknown[] = [];
		const hooks = new HookManager((thrown) => errors.push(thrown));
		new TodoDisplayHook(() => {
			throw new Error("the terminal is gone");
		}).registerTo(hooks);
		const outcome = await hooks.fire("PostToolUse", {
			toolUseId: "toolu_1",
			toolName: "todo_write",
			input: {},
			result: { content: "list", isError: false, durationMs: 1 },
		});
		expect(outcome).toEqual(CONTINUE);
		expect(errors).toEqual([new Error("the terminal is gone")]);
	});
});
