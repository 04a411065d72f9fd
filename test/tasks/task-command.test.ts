import { expect, test } from "vitest";
import { runTaskCommand, TASK_USAGE } from "../../src/tasks/task-command.ts";
import { owner, setUpBoard } from "./setup.ts";

test("adds, lists, shows, completes and removes tasks by hand", async () => {
	const { board, store } = await setUpBoard();
	const run = (rest: string) => runTaskCommand(board, rest);
	expect(await run("")).toEqual(["No tasks."]);
	expect(await run('add t1 "Study the cache"')).toEqual(["Task created: t1"]);
	expect(await run("add t2 Write the index --after t1")).toEqual(["Task created: t2"]);
	expect(await run("add Measure --after t1,t2 --after=t9")).toEqual(["Task created: t3"]);
	expect(await run("done t2")).toEqual(["Error: task t2 is BLOCKED by t1"]);
	expect(await run("done t1 found it in src/cache.ts")).toEqual(["Task completed: t1", "Unblocked: t2"]);
	await board.claim("t2", owner("ann"));
	expect(await run("list")).toEqual([
		"Tasks (3):",
		"  t1  [COMPLETED] Study the cache",
		"  t2  [IN_PROGRESS] Write the index  (ann)",
		"  t3  [PENDING]   Measure  BLOCKED by t2, t9",
	]);
	expect(await run("show t1")).toEqual(["t1  [COMPLETED] Study the cache", "Result:", "found it in src/cache.ts"]);
	expect(await run("rm t2")).toEqual(["Task removed: t2", "Still BLOCKED by it: t3"]);
	expect(await run("show t2")).toEqual(["Error: task not found: t2"]);
	await store.close();
});

test("says how it is used", async () => {
	const { board, store } = await setUpBoard();
	expect(await runTaskCommand(board, "frobnicate")).toEqual(["Unknown subcommand: frobnicate", TASK_USAGE]);
	expect(await runTaskCommand(board, "add t5")).toEqual(["Error: a title is required", TASK_USAGE]);
	expect(await runTaskCommand(board, "done")).toEqual(["Error: a task id is required", TASK_USAGE]);
	expect(await runTaskCommand(board, "add t1 one")).toEqual(["Task created: t1"]);
	expect(await runTaskCommand(board, "add t1 two")).toEqual([
		"Error: task id 't1' is taken. Ids are never used again: leave it out to get the next free one",
	]);
	await store.close();
});
