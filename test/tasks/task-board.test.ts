import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TaskBoard } from "../../src/tasks/task-board.ts";
import { owner, proof, setUpBoard } from "./setup.ts";

const ids = (tasks: readonly { readonly id: string }[]) => tasks.map((task) => task.id);

describe("create", () => {
	test("gives ids in order, passes over given ones, and gives none twice", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "one" });
		await board.create({ title: "by hand", id: "t2" });
		await board.create({ title: "three" });
		await board.remove("t3");
		await board.create({ title: "four" });
		expect(ids(board.list())).toEqual(["t1", "t2", "t4"]);
		await expect(board.create({ title: "again", id: "t3" })).rejects.toMatchObject({
			code: "ERR_TASK_ID",
			message: "task id 't3' is taken. Ids are never used again: leave it out to get the next free one",
		});
		await store.close();
	});

	test("fills in a task", async () => {
		const { board, store } = await setUpBoard();
		expect(
			await board.create({ title: "  Write the index ", description: "all of it", blockedBy: ["t9", "t9"] }),
		).toEqual({
			id: "t1",
			title: "Write the index",
			description: "all of it",
			status: "PENDING",
			blockedBy: ["t9"],
			attempt: 1,
			claimVersion: 0,
			order: 1,
			createdAt: 1_000_000,
			updatedAt: 1_000_000,
		});
		await store.close();
	});

	test("refuses titles, ids and blockers that cannot be used", async () => {
		const { board, store } = await setUpBoard();
		await expect(board.create({ title: " " })).rejects.toMatchObject({ code: "ERR_BAD_INPUT" });
		await expect(board.create({ title: "x", id: "a b" })).rejects.toMatchObject({ code: "ERR_TASK_ID" });
		await expect(board.create({ title: "x", blockedBy: [""] })).rejects.toMatchObject({ code: "ERR_TASK_ID" });
		expect((await board.create({ title: "x" })).id).toBe("t1");
		await store.close();
	});

	test("puts nothing on the board when it is not approved", async () => {
		const { board, store } = await setUpBoard();
		const asked: unknown[] = [];
		const refuse = async (task: unknown) => {
			asked.push(task, ids(board.list()));
			throw new Error("no");
		};
		await expect(board.create({ title: "one" }, refuse)).rejects.toThrow("no");
		expect(asked).toEqual([{ id: "t1", title: "one" }, []]);
		expect((await board.create({ title: "two" })).id).toBe("t2");
		await store.close();
	});

	test("gives every task its own id when many are created at once", async () => {
		const { board, store } = await setUpBoard();
		const created = await Promise.all(Array.from({ length: 50 }, (_, at) => board.create({ title: `task ${at}` })));
		expect(new Set(ids(created)).size).toBe(50);
		expect(board.list().map((task) => task.title)).toEqual(Array.from({ length: 50 }, (_, at) => `task ${at}`));
		await store.close();
	});
});

describe("blockers", () => {
	test("refuse a claim until all are completed, and completing names what is free now", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "a" });
		await board.create({ title: "b" });
		await board.create({ title: "c", blockedBy: ["t1", "t2"] });
		await board.create({ title: "d", blockedBy: ["t1"] });
		expect(ids(board.ready())).toEqual(["t1", "t2"]);
		await expect(board.claim("t3", owner("ann"))).rejects.toMatchObject({
			code: "ERR_TASK_BLOCKED",
			message: "task t3 is BLOCKED by t1, t2",
		});
		await board.claim("t1", owner("ann"));
		expect(ids((await board.complete("t1", proof("ann"))).unblocked)).toEqual(["t4"]);
		await board.claim("t2", owner("ann"));
		expect(ids((await board.complete("t2", proof("ann"))).unblocked)).toEqual(["t3"]);
		expect(ids(board.ready())).toEqual(["t3", "t4"]);
		await store.close();
	});

	test("that are not on the board block, until they come and are completed", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "waits", blockedBy: ["t7"] });
		expect(board.ready()).toEqual([]);
		await board.create({ title: "comes", id: "t7" });
		expect(ids((await board.completeByHand("t7")).unblocked)).toEqual(["t1"]);
		await store.close();
	});

	test("are refused where they would make a circle, on create and on update", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "a", blockedBy: ["t3"] });
		await board.create({ title: "b", blockedBy: ["t1"] });
		await expect(board.create({ title: "c", blockedBy: ["t2"] })).rejects.toMatchObject({
			code: "ERR_TASK_CYCLE",
			message: "task t3 would wait for itself: t3 → t2 → t1 → t3. Leave one of these blockers out",
		});
		await expect(board.update("t1", { blockedBy: ["t1"] })).rejects.toMatchObject({
			message: expect.stringContaining("t1 → t1"),
		});
		await board.update("t1", { blockedBy: [] });
		await board.create({ title: "c", blockedBy: ["t2"] });
		await expect(board.update("t1", { blockedBy: ["t3"] })).rejects.toMatchObject({ code: "ERR_TASK_CYCLE" });
		await store.close();
	});

	test("can be changed while a task waits and not once it is claimed", async () => {
		const { board, store } = await setUpBoard();
		for (const title of ["a", "b", "c"]) await board.create({ title });
		await board.update("t3", { blockedBy: ["t1"] });
		await board.update("t3", { blockedBy: ["t2"] });
		expect((await board.completeByHand("t1")).unblocked).toEqual([]);
		expect(ids((await board.completeByHand("t2")).unblocked)).toEqual(["t3"]);
		await board.claim("t3", owner("ann"));
		await expect(board.update("t3", { blockedBy: [] })).rejects.toMatchObject({ code: "ERR_TASK_CLAIMED" });
		expect(await board.update("t3", { title: "better" })).toMatchObject({ title: "better", status: "IN_PROGRESS" });
		await store.close();
	});

	test("free their tasks when they are removed as completed, and go on blocking when not", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "a" });
		await board.create({ title: "b" });
		await board.create({ title: "c", blockedBy: ["t1", "t2"] });
		await board.completeByHand("t1");
		expect((await board.remove("t1")).stillBlocked).toEqual([]);
		expect(board.get("t3")?.blockedBy).toEqual(["t2"]);
		expect((await board.remove("t2")).stillBlocked).toEqual(["t3"]);
		expect(board.ready()).toEqual([]);
		await store.close();
	});
});

describe("claims", () => {
	test("go to exactly one of many who try at once", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "a" });
		const names = Array.from({ length: 16 }, (_, at) => `agent-${at}`);
		const results = await Promise.allSettled(names.map((name) => board.claim("t1", owner(name))));
		expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
		const codes = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
		expect(codes).toEqual(Array.from({ length: 15 }, () => "ERR_TASK_CLAIMED"));
		await store.close();
	});

	test("are one per owner", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "a" });
		await board.create({ title: "b" });
		await board.claim("t1", owner("ann"));
		await expect(board.claim("t2", owner("ann"))).rejects.toMatchObject({
			code: "ERR_TASK_OWNER_BUSY",
			message: "ann has the open task t1. Complete it or give it back first",
		});
		await board.claim("t2", owner("ann", { id: "run_other_ann" }));
		await store.close();
	});

	test("let only their owner complete, with the version it claimed", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "a" });
		await expect(board.complete("t1", proof("ann", 0))).rejects.toMatchObject({
			code: "ERR_TASK_CLAIM_LOST",
			message: "task t1 is not claimed by you (PENDING). Claim it first",
		});
		await board.claim("t1", owner("ann"));
		await expect(board.complete("t1", proof("bob"))).rejects.toMatchObject({ code: "ERR_TASK_CLAIM_LOST" });
		await expect(board.complete("t1", proof("ann", 2))).rejects.toMatchObject({ code: "ERR_TASK_CLAIM_LOST" });
		const { task } = await board.complete("t1", proof("ann"), "it works");
		expect(task).toMatchObject({ status: "COMPLETED", result: "it works", owner: { name: "ann" } });
		await expect(board.complete("t1", proof("ann"))).rejects.toMatchObject({ code: "ERR_TASK_CLAIM_LOST" });
		await expect(board.claim("t1", owner("bob"))).rejects.toMatchObject({
			code: "ERR_TASK_CLAIMED",
			message: "task t1 is completed already. Look at list_tasks for another",
		});
		await store.close();
	});

	test("end with their owner: the task waits again with one attempt more, and the late completion is refused", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "a" });
		await board.claim("t1", owner("ann"));
		expect(await board.releaseOwner("run_ann")).toMatchObject({ status: "PENDING", attempt: 2, claimVersion: 1 });
		expect(board.get("t1")?.owner).toBeUndefined();
		expect(await board.releaseOwner("run_ann")).toBeUndefined();
		expect(await board.claim("t1", owner("bob"))).toMatchObject({ claimVersion: 2, attempt: 2 });
		await expect(board.complete("t1", proof("ann"))).rejects.toMatchObject({
			code: "ERR_TASK_CLAIM_LOST",
			message: "task t1 is not claimed by you (IN_PROGRESS, owner bob). Leave it, and look at list_tasks for another",
		});
		await store.close();
	});

	test("can be given back, which costs no attempt", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "a" });
		await board.claim("t1", owner("ann"));
		await expect(board.giveBack("t1", proof("bob"))).rejects.toMatchObject({ code: "ERR_TASK_CLAIM_LOST" });
		expect(await board.giveBack("t1", proof("ann"))).toMatchObject({ status: "PENDING", attempt: 1 });
		expect(board.claimOf("run_ann")).toBeUndefined();
		await store.close();
	});

	test("are void once a person completes or removes the task", async () => {
		const { board, store } = await setUpBoard();
		await board.create({ title: "a" });
		await board.create({ title: "b" });
		await board.claim("t1", owner("ann"));
		await board.claim("t2", owner("bob"));
		await board.completeByHand("t1", "did it myself");
		await board.remove("t2");
		await expect(board.complete("t1", proof("ann"))).rejects.toMatchObject({ code: "ERR_TASK_CLAIM_LOST" });
		await expect(board.complete("t2", proof("bob"))).rejects.toMatchObject({ code: "ERR_UNKNOWN_TASK" });
		expect([board.claimOf("run_ann"), board.claimOf("run_bob")]).toEqual([undefined, undefined]);
		expect(board.get("t1")).toMatchObject({ status: "COMPLETED", result: "did it myself" });
		await store.close();
	});

	test("survive the process", async () => {
		const before = await setUpBoard();
		await before.board.create({ title: "a" });
		await before.board.claim("t1", owner("ann"));
		await before.store.close();
		const { board, store } = await setUpBoard({}, before.stateDir);
		expect(board.claimOf("run_ann")).toMatchObject({ taskId: "t1", claimVersion: 1 });
		expect(ids(await board.releaseSession("session_1"))).toEqual(["t1"]);
		expect(board.get("t1")).toMatchObject({ status: "PENDING", attempt: 2 });
		await store.close();
	});
});

test("keeps the beginning of a result that is too long", async () => {
	const { board, store } = await setUpBoard();
	await board.create({ title: "a" });
	const { task } = await board.completeByHand("t1", "x".repeat(100_005));
	expect(task.result).toBe(`${"x".repeat(100_000)}\n… (5 more characters were cut)`);
	await store.close();
});

test("never lets tasks wait for each other, whatever is created and updated", async () => {
	const name = fc.integer({ min: 1, max: 6 }).map((number) => `t${number}`);
	const step = fc.record({ id: name, blockedBy: fc.array(name, { maxLength: 3 }) });
	const { board, store } = await setUpBoard();
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
			for (const { id, blockedBy } of steps) {
				const known = board.get(id) !== undefined;
				const change = known ? board.update(id, { blockedBy }) : board.create({ id: undefined, title: id, blockedBy });
				await change.catch((thrown) => expect(thrown.code).toBe("ERR_TASK_CYCLE"));
			}
			expect(board.list().filter((task) => reaches(board, task.id, task.id))).toEqual([]);
		}),
		{ numRuns: 25 },
	);
	await store.close();
});

function reaches(board: TaskBoard, from: string, to: string, seen = new Set<string>()): boolean {
	return (board.get(from)?.blockedBy ?? []).some((next) => {
		if (next === to) return true;
		if (seen.has(next)) return false;
		seen.add(next);
		return reaches(board, next, to, seen);
	});
}
