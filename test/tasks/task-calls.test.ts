import { describe, expect, test } from "vitest";
import { createTaskCalls, type TaskGate } from "../../src/tasks/task-calls.ts";
import { TASK_ROOM, taskTools } from "../../src/tasks/task-tools.ts";
import type { ToolContext } from "../../src/tools/definition.ts";
import { toolSpecOf } from "../../src/tools/tool-spec.ts";
import { owner, setUpBoard } from "./setup.ts";

async function setUpCalls(gate?: TaskGate) {
	const opened = await setUpBoard();
	const calls = createTaskCalls(opened.board, gate);
	const ann = owner("ann");
	const bob = owner("bob");
	return { ...opened, ann, bob, call: calls };
}

const fine = (content: string) => ({ content, isError: false });
const failed = (content: string) => ({ content, isError: true });

test("works a chain of tasks from creation to the end", async () => {
	const { call, ann, bob, store } = await setUpCalls();
	expect(await call("list_tasks", {}, ann)).toEqual(fine("No tasks."));
	expect(await call("create_task", { title: "Study the cache", description: "Read src/cache." }, ann)).toEqual(
		fine("Task created: t1"),
	);
	expect(await call("create_task", { title: "Write the index", blocked_by: ["t1"] }, ann)).toEqual(
		fine("Task created: t2"),
	);
	expect(await call("create_task", { title: "Measure", id: "bench", blocked_by: ["t2", "t1"] }, ann)).toEqual(
		fine("Task created: bench"),
	);
	expect(await call("claim_task", { task_id: "t2" }, bob)).toEqual(failed("Error: task t2 is BLOCKED by t1"));
	expect(await call("claim_task", { task_id: "t1" }, bob)).toEqual(
		fine("Task claimed: t1\n\nt1  [IN_PROGRESS] Study the cache\nOwner: bob\nDescription:\nRead src/cache."),
	);
	expect(await call("claim_task", { task_id: "t1" }, ann)).toEqual(
		failed("Error: task t1 is claimed by bob. Look at list_tasks for another"),
	);
	expect(await call("list_tasks", {}, ann)).toEqual(
		fine(
			[
				"Tasks (3):",
				"  t1  [IN_PROGRESS] Study the cache  (bob)",
				"  t2  [PENDING]   Write the index  BLOCKED by t1",
				"  bench  [PENDING]   Measure  BLOCKED by t2, t1",
			].join("\n"),
		),
	);
	expect(await call("complete_task", { task_id: "t1" }, ann)).toEqual(
		failed(
			"Error: task t1 is not claimed by you (IN_PROGRESS, owner bob). Leave it, and look at list_tasks for another",
		),
	);
	expect(await call("complete_task", { task_id: "t1", result: "It is an LRU." }, bob)).toEqual(
		fine("Task completed: t1\nUnblocked: t2"),
	);
	expect(await call("get_task", { task_id: "t1" }, ann)).toEqual(
		fine("t1  [COMPLETED] Study the cache\nOwner: bob\nDescription:\nRead src/cache.\nResult:\nIt is an LRU."),
	);
	expect(await call("get_task", { task_id: "bench" }, ann)).toEqual(
		fine("bench  [PENDING] Measure\nWaits for: t2 [PENDING], t1 [COMPLETED]"),
	);
	await store.close();
});

test("claims, gives back and completes with update_task as well", async () => {
	const { call, ann, board, store } = await setUpCalls();
	await call("create_task", { title: "a" }, ann);
	expect(await call("update_task", { task_id: "t1", title: "b", description: "more" }, ann)).toEqual(
		fine("Task updated: t1"),
	);
	expect((await call("update_task", { task_id: "t1", status: "IN_PROGRESS" }, ann)).content).toContain(
		"Task claimed: t1",
	);
	expect(await call("update_task", { task_id: "t1", status: "PENDING" }, ann)).toEqual(fine("Task given back: t1"));
	expect(board.get("t1")).toMatchObject({ status: "PENDING", title: "b", description: "more", attempt: 1 });
	await call("claim_task", { task_id: "t1" }, ann);
	expect(await call("update_task", { task_id: "t1", title: "c", status: "COMPLETED" }, ann)).toEqual(
		fine("Task updated: t1\nTask completed: t1"),
	);
	expect(await call("update_task", { task_id: "t1" }, ann)).toEqual(
		failed("Error: nothing to change: give title, description, blocked_by or status"),
	);
	await store.close();
});

test("tells the next owner that an earlier one was lost", async () => {
	const { call, ann, bob, board, store } = await setUpCalls();
	await call("create_task", { title: "a" }, ann);
	await call("claim_task", { task_id: "t1" }, ann);
	await board.releaseOwner(ann.id);
	expect((await call("claim_task", { task_id: "t1" }, bob)).content).toContain(
		"Attempt: 2 (an earlier owner was lost: look for work it left behind)",
	);
	await store.close();
});

test("names what is wrong with an input", async () => {
	const { call, ann, store } = await setUpCalls();
	const cases: [string, unknown, string][] = [
		["create_task", {}, "Error: title is required"],
		["create_task", { title: "a", blocked_by: "t1" }, "Error: blocked_by must be an array of strings"],
		[
			"create_task",
			{ title: "a", blocked_by: ["t1"] },
			"Error: task t1 would wait for itself: t1 → t1. Leave one of these blockers out",
		],
		[
			"create_task",
			{ title: "a", id: "a b" },
			"Error: 'a b' is not a valid task id. Use 1 to 64 letters, digits, _ or -, beginning with a letter or digit",
		],
		["get_task", {}, "Error: task_id is required"],
		["get_task", { task_id: "t9" }, "Error: task not found: t9"],
		["claim_task", { task_id: "t9" }, "Error: task not found: t9"],
		["complete_task", { task_id: "t9" }, "Error: task not found: t9"],
		["update_task", { task_id: "t9", status: "DONE" }, "Error: status must be one of: PENDING, IN_PROGRESS, COMPLETED"],
		["drop_tables", {}, "Error: the task board has no call 'drop_tables'"],
		["constructor", {}, "Error: the task board has no call 'constructor'"],
	];
	for (const [name, input, text] of cases) expect(await call(name, input, ann), name).toEqual(failed(text));
	await store.close();
});

describe("the gate", () => {
	test("keeps a task off the board, with its reason", async () => {
		const { call, ann, board, store } = await setUpCalls({ mayCreate: async ({ id }) => `${id} has no ticket number` });
		expect(await call("create_task", { title: "a" }, ann)).toEqual(
			failed("Error: the task was not created: t1 has no ticket number"),
		);
		expect(board.list()).toEqual([]);
		await store.close();
	});

	test("keeps a task open, and is not asked about tasks of others", async () => {
		const asked: string[] = [];
		const { call, ann, bob, board, store } = await setUpCalls({
			mayComplete: async (task, caller) => {
				asked.push(`${task.id} ${caller?.name}`);
				return "the tests fail";
			},
		});
		await call("create_task", { title: "a" }, ann);
		await call("claim_task", { task_id: "t1" }, ann);
		await call("complete_task", { task_id: "t1" }, bob);
		expect(await call("complete_task", { task_id: "t1" }, ann)).toEqual(
			failed("Error: task t1 cannot be completed yet: the tests fail"),
		);
		expect(asked).toEqual(["t1 ann"]);
		expect(board.get("t1")?.status).toBe("IN_PROGRESS");
		await store.close();
	});
});

test("passes an agent's calls on to main and tells the model what they take", async () => {
	const asked: unknown[] = [];
	const context = {
		toolUseId: "toolu_1",
		signal: new AbortController().signal,
		ask: async (method: string, params: unknown) => {
			asked.push([method, params]);
			return { content: "Task claimed: t1" };
		},
	} as unknown as ToolContext;
	const claim = taskTools.find((tool) => tool.name === "claim_task");
	expect(await claim?.execute({ task_id: "t1" }, context)).toEqual({ content: "Task claimed: t1" });
	expect(asked).toEqual([
		["room-call", { room: TASK_ROOM, name: "claim_task", input: { task_id: "t1" }, toolUseId: "toolu_1" }],
	]);
	const specs = await Promise.all(taskTools.map((tool) => toolSpecOf(tool, "output")));
	expect(specs.map((spec) => spec.name)).toEqual([
		"create_task",
		"list_tasks",
		"get_task",
		"update_task",
		"claim_task",
		"complete_task",
	]);
	expect(specs[0]?.input_schema).toMatchObject({
		type: "object",
		required: ["title"],
		properties: { blocked_by: { type: "array", items: { type: "string" } } },
	});
	expect(taskTools.filter((tool) => tool.readOnly).map((tool) => tool.name)).toEqual(["list_tasks", "get_task"]);
});
