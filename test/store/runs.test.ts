import { expect, test } from "vitest";
import { z } from "zod";
import { openTestStore } from "./open-store.ts";
import { makeRun } from "./records.ts";

const owner = (pid: number) => ({ pid, startedAt: "then" });

test("lists the runs of one session or of all, oldest first", async () => {
	const { store } = await openTestStore();
	await Promise.all([
		store.runs.putRun(makeRun({ id: "task_b", createdAt: 20 })),
		store.runs.putRun(makeRun({ id: "task_a", createdAt: 10 })),
		store.runs.putRun(makeRun({ id: "task_c", createdAt: 5, sessionId: "session_2" })),
	]);
	expect(store.runs.listRuns({ sessionId: "session_1" }).map((run) => run.id)).toEqual(["task_a", "task_b"]);
	expect(store.runs.listRuns().map((run) => run.id)).toEqual(["task_c", "task_a", "task_b"]);
	await store.close();
});

test("keeps the record of the last call, also when the calls did not wait for each other", async () => {
	const { store } = await openTestStore();
	await Promise.all([
		store.runs.putRun(makeRun({ id: "task_a" })),
		store.runs.putRun(makeRun({ id: "task_a", status: "RUNNING" })),
		store.runs.putRun(makeRun({ id: "task_a", status: "COMPLETED", reason: "done", finalText: "yes" })),
	]);
	expect(store.runs.getRun("task_a")).toMatchObject({ status: "COMPLETED", finalText: "yes" });
	await store.close();
});

test("forgets the runs of one session only", async () => {
	const { store } = await openTestStore();
	await store.runs.putRun(makeRun({ id: "task_a" }));
	await store.runs.putRun(makeRun({ id: "task_b", sessionId: "session_2" }));
	expect(await store.runs.deleteSessionRuns("session_1")).toBe(1);
	expect(store.runs.listRuns().map((run) => run.id)).toEqual(["task_b"]);
	expect(await store.runs.markInterrupted(() => false)).toHaveLength(1);
	await store.close();
});

test("ends the open runs of dead sessions as interrupted and leaves all others alone", async () => {
	const { store } = await openTestStore();
	await store.sessions.start({ id: "dead", cwd: "/a", owner: owner(1) });
	await store.sessions.start({ id: "alive", cwd: "/a", owner: owner(2) });
	const runs = [
		makeRun({ id: "pending", sessionId: "dead" }),
		makeRun({ id: "running", sessionId: "dead", status: "RUNNING", startedAt: 1_100 }),
		makeRun({ id: "done", sessionId: "dead", status: "COMPLETED", reason: "done", finalText: "kept" }),
		makeRun({ id: "other", sessionId: "alive", status: "RUNNING" }),
		makeRun({ id: "nobody's", sessionId: "unknown", status: "RUNNING" }),
	];
	await Promise.all(runs.map((run) => store.runs.putRun(run)));
	const ended = await store.runs.markInterrupted((session) => session.owner.pid === 2);
	expect(ended.map((run) => run.id).sort()).toEqual(["nobody's", "pending", "running"]);
	expect(store.runs.getRun("running")).toMatchObject({
		status: "FAILED",
		reason: "interrupted",
		error: "The process ended while this run was under way",
		startedAt: 1_100,
		completedAt: 1_000_000,
	});
	expect(store.runs.getRun("done")).toMatchObject({ status: "COMPLETED", finalText: "kept" });
	expect(store.runs.getRun("other")?.status).toBe("RUNNING");
	await store.close();
});

test("hands each interrupted run to one of several callers", async () => {
	const { store, stateDir } = await openTestStore();
	await Promise.all(Array.from({ length: 20 }, (_, at) => store.runs.putRun(makeRun({ id: `task_${at}` }))));
	const { store: other } = await openTestStore(stateDir);
	const lists = await Promise.all([store, other, store].map((one) => one.runs.markInterrupted(() => false)));
	expect(lists.flat()).toHaveLength(20);
	expect(await store.runs.markInterrupted(() => false)).toEqual([]);
	await store.close();
	await other.close();
});

test("does not end runs whose session found a new owner meanwhile", async () => {
	const { store } = await openTestStore();
	await store.sessions.start({ id: "session_1", cwd: "/a", owner: owner(1) });
	await store.runs.putRun(makeRun({ id: "task_a", status: "RUNNING" }));
	const ended = await store.runs.markInterrupted(async () => {
		await store.sessions.start({ id: "session_1", cwd: "/a", owner: owner(2) });
		return false;
	});
	expect(ended).toEqual([]);
	expect(store.runs.getRun("task_a")?.status).toBe("RUNNING");
	await store.close();
});

test("lists the other runs when one record is broken", async () => {
	const { store, faults } = await openTestStore();
	await Promise.all(["task_a", "task_b"].map((id) => store.runs.putRun(makeRun({ id }))));
	const table = store.table("runs", z.unknown());
	await store.transaction(() => table.set("task_a", { id: "task_a", status: "LOST" }));
	expect(store.runs.listRuns().map((run) => run.id)).toEqual(["task_b"]);
	expect(faults.map((fault) => [fault.place, fault.key])).toEqual([["runs table", "task_a"]]);
	await store.close();
});
