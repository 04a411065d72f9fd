import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { BoardRow } from "../../src/supervision/board-row.ts";
import { setUpSupervisor } from "./setup.ts";

describe("RunSupervisor", () => {
	it("takes a run from PENDING over RUNNING to COMPLETED and saves each state", async () => {
		const { accept, launcher, saved, settle, supervisor } = setUpSupervisor();
		const run = accept();
		await settle();
		expect(launcher.threads[0]?.commands).toEqual([{ type: "start-prompt", promptId: "prompt-1", text: "do it" }]);
		launcher.threads[0]?.finish({ finalText: "42 files" });
		const record = await run.ended.promise;
		expect(record).toMatchObject({ status: "COMPLETED", reason: "done", finalText: "42 files" });
		expect(saved.map(({ status }) => status)).toEqual(["PENDING", "RUNNING", "COMPLETED"]);
		expect(supervisor.counts()).toMatchObject({ running: 0, queued: 0 });
		expect(launcher.threads[0]?.releases).toBe(1);
	});

	it("queues runs over the limit first in first out, and refuses beyond maxQueued", async () => {
		const { accept, launcher, settle, supervisor } = setUpSupervisor({ maxConcurrent: 1, maxQueued: 2 });
		const runs = [accept(), accept(), accept()];
		await settle();
		expect(runs.map((run) => run.status())).toEqual(["RUNNING", "PENDING", "PENDING"]);
		expect(() => accept()).toThrow("max concurrent subagents (1) reached");
		for (const index of [0, 1, 2]) {
			launcher.threads[index]?.finish();
			await runs[index]?.ended.promise;
			await settle();
		}
		expect(launcher.threads.map((thread) => (thread.options.init as { runId: string }).runId)).toEqual([
			"task_1",
			"task_2",
			"task_3",
		]);
		expect(supervisor.counts().running).toBe(0);
	});

	it("refuses at the limit when nothing may queue", async () => {
		const { accept } = setUpSupervisor({ maxConcurrent: 1, maxQueued: 0 });
		accept();
		expect(() => accept()).toThrow("max concurrent subagents (1) reached");
	});

	it.each([
		[{ kind: "exited", exitCode: 1 }, "exited"],
		[{ kind: "crashed", error: new Error("boom") }, "crashed"],
		[{ kind: "out-of-memory", error: new Error("heap") }, "out-of-memory"],
		[{ kind: "failed-to-start", error: new Error("no file") }, "never-started"],
	] as const)("fails a run whose thread ended with %o as %s, and gives its slot back once", async (end, reason) => {
		const { accept, launcher, settle, supervisor } = setUpSupervisor();
		const run = accept();
		await settle();
		launcher.threads[0]?.end(end);
		const record = await run.ended.promise;
		expect(record).toMatchObject({ status: "FAILED", reason });
		expect(supervisor.counts().running).toBe(0);
	});

	it("ignores a result that comes after the thread's end", async () => {
		const { accept, launcher, settle, saved } = setUpSupervisor();
		const run = accept();
		await settle();
		launcher.threads[0]?.end({ kind: "exited", exitCode: 0 });
		await run.ended.promise;
		launcher.threads[0]?.finish();
		await settle();
		expect(saved.map(({ status }) => status)).toEqual(["PENDING", "RUNNING", "FAILED"]);
	});

	it("asks a cancelled run to stop and keeps its partial text", async () => {
		const { accept, launcher, settle, supervisor } = setUpSupervisor();
		const run = accept();
		await settle();
		const cancelled = supervisor.cancel(run.spec.id, { reason: "cancelled", why: "not needed" });
		await settle();
		expect(launcher.threads[0]?.commands.at(-1)).toEqual({ type: "cancel-run", reason: "not needed" });
		expect(run.status()).toBe("RUNNING");
		launcher.threads[0]?.finish({ reason: "cancelled", finalText: "half" });
		expect(await cancelled).toEqual({ stopped: ["task_1"] });
		expect(run.record).toMatchObject({ status: "FAILED", reason: "cancelled", finalText: "half", error: "not needed" });
	});

	it("terminates the thread of a run that ignores the request to stop", async () => {
		const { accept, clock, launcher, settle, supervisor } = setUpSupervisor();
		const run = accept({ limits: { graceMs: 500 } });
		await settle();
		void supervisor.cancel(run.spec.id, { reason: "cancelled", why: "stop" });
		await clock.advance(499);
		expect(run.status()).toBe("RUNNING");
		await clock.advance(1);
		expect(await run.ended.promise).toMatchObject({ reason: "cancelled" });
		expect(launcher.threads[0]?.kills).toBe(1);
	});

	it("writes a thread off as lost that does not terminate, and frees its slot", async () => {
		const { accept, clock, launcher, settle, supervisor } = setUpSupervisor();
		const run = accept({ limits: { graceMs: 500 } });
		await settle();
		const thread = launcher.threads[0];
		if (!thread) throw new Error("no thread");
		thread.killResult = "lost";
		void supervisor.cancel(run.spec.id, { reason: "cancelled", why: "stop" });
		await clock.advance(500);
		expect(await run.ended.promise).toMatchObject({ status: "FAILED", reason: "lost" });
		expect(supervisor.counts()).toMatchObject({ running: 0, lostThreads: 1 });
	});

	it("ends a run at once whose thread still loads its modules, and lets the thread come to the end of that", async () => {
		const { accept, launcher, settle, supervisor } = setUpSupervisor();
		launcher.keepsLoading = true;
		const run = accept();
		await settle();
		const thread = launcher.threads[0];
		if (!thread) throw new Error("no thread");
		thread.obeys = false;
		await supervisor.cancel(run.spec.id, { reason: "cancelled", why: "stop" });
		expect(run.record).toMatchObject({ status: "FAILED", reason: "cancelled", error: "stop" });
		expect(thread).toMatchObject({ releases: 1, kills: 0 });
		expect(supervisor.counts()).toMatchObject({ running: 0, threads: 1 });
	});

	it("terminates a thread that does not come to the end of its loading, and closes when it is lost", async () => {
		const { accept, clock, launcher, settle, supervisor } = setUpSupervisor();
		launcher.keepsLoading = true;
		accept();
		await settle();
		const thread = launcher.threads[0];
		if (!thread) throw new Error("no thread");
		Object.assign(thread, { obeys: false, killResult: "lost" });
		const closed = supervisor.close("bye");
		await clock.advance(999);
		expect(thread.kills).toBe(0);
		await clock.advance(1);
		await closed;
		expect(thread.kills).toBe(1);
		expect(supervisor.counts()).toMatchObject({ threads: 0, lostThreads: 1 });
	});

	it("cancels a PENDING run without a thread", async () => {
		const { accept, launcher, settle, supervisor } = setUpSupervisor({ maxConcurrent: 1 });
		accept();
		const waiting = accept();
		await settle();
		await supervisor.cancel(waiting.spec.id, { reason: "cancelled", why: "stop" });
		expect(waiting.record).toMatchObject({ status: "FAILED", reason: "cancelled" });
		expect(launcher.threads).toHaveLength(1);
		expect(supervisor.counts().queued).toBe(0);
	});

	it("cancels three levels of runs with their root", async () => {
		const { accept, launcher, settle, supervisor } = setUpSupervisor({ maxConcurrent: 8 });
		const root = accept();
		const child = accept({ parentId: "task_1" });
		const grandchild = accept({ parentId: "task_2" });
		await settle();
		const cancelled = supervisor.cancel("task_1", { reason: "cancelled", why: "stop" });
		await settle();
		for (const thread of launcher.threads) thread.finish({ reason: "cancelled", finalText: "" });
		expect(await cancelled).toEqual({ stopped: ["task_3", "task_2", "task_1"] });
		expect([root, child, grandchild].map((run) => run.record.reason)).toEqual(["cancelled", "cancelled", "cancelled"]);
	});

	it("stops a run when its signal aborts", async () => {
		const { accept, launcher, settle } = setUpSupervisor();
		const controller = new AbortController();
		const run = accept({ signal: controller.signal });
		await settle();
		controller.abort(new Error("caller left"));
		await settle();
		launcher.threads[0]?.finish({ reason: "cancelled", finalText: "" });
		expect(await run.ended.promise).toMatchObject({ reason: "cancelled", error: "caller left" });
	});

	it("puts one listener on a signal that many runs share, and forgets each run that has ended", async () => {
		const { accept, launcher, settle } = setUpSupervisor({ maxConcurrent: 12, maxThreads: 12 });
		const controller = new AbortController();
		const { signal } = controller;
		const runs = Array.from({ length: 12 }, () => accept({ signal }));
		await settle();
		expect(getEventListeners(signal, "abort")).toHaveLength(1);
		launcher.threads[0]?.finish();
		await runs[0]?.ended.promise;
		controller.abort(new Error("caller left"));
		await settle();
		const stopped = launcher.threads.map(({ commands }) => commands.some(({ type }) => type === "cancel-run"));
		expect(stopped).toEqual([false, ...Array.from({ length: 11 }, () => true)]);
	});

	it("lends a waiting parent's slot to its child, so that one slot is enough for both", async () => {
		const { accept, launcher, settle, supervisor } = setUpSupervisor({ maxConcurrent: 1 });
		const parent = accept();
		await settle();
		const child = accept({ parentId: parent.spec.id, background: false });
		const waited = supervisor.awaitChild(parent, child);
		const other = accept();
		await settle();
		expect([parent, child, other].map((run) => run.status())).toEqual(["RUNNING", "RUNNING", "PENDING"]);
		launcher.threads[1]?.finish({ finalText: "from child" });
		expect(await waited).toMatchObject({ finalText: "from child" });
		expect(supervisor.counts().running).toBe(1);
		expect(other.status()).toBe("PENDING");
		launcher.threads[0]?.finish();
		await parent.ended.promise;
		await settle();
		expect(other.status()).toBe("RUNNING");
	});

	it("runs two children that one parent waits for at once one after another on one slot", async () => {
		const { accept, launcher, settle, supervisor } = setUpSupervisor({ maxConcurrent: 1 });
		const parent = accept();
		await settle();
		const children = [1, 2].map(() => accept({ parentId: parent.spec.id, background: false }));
		const waits = children.map((child) => supervisor.awaitChild(parent, child));
		await settle();
		expect(children.map((child) => child.status())).toEqual(["RUNNING", "PENDING"]);
		launcher.threads[1]?.finish({ finalText: "first" });
		expect(await waits[0]).toMatchObject({ finalText: "first" });
		await settle();
		expect(children[1]?.status()).toBe("RUNNING");
		launcher.threads[2]?.finish({ finalText: "second" });
		expect(await waits[1]).toMatchObject({ finalText: "second" });
		expect(supervisor.counts().running).toBe(1);
	});

	it("gives no slot to a parent that was stopped while it waited for its child", async () => {
		const { accept, launcher, settle, supervisor } = setUpSupervisor({ maxConcurrent: 1 });
		const parent = accept();
		await settle();
		const child = accept({ parentId: parent.spec.id, background: false });
		const waited = supervisor.awaitChild(parent, child);
		await settle();
		const cancelled = supervisor.cancel(parent.spec.id, { reason: "cancelled", why: "stop" });
		await settle();
		for (const thread of launcher.threads) thread.finish({ reason: "cancelled", finalText: "" });
		await cancelled;
		await waited;
		expect(supervisor.counts().running).toBe(0);
	});

	it("keeps a subagent alive until its own background children have ended", async () => {
		const mail = new Set<string>();
		const { accept, launcher, settle, supervisor } = setUpSupervisor({ hasMail: (run) => mail.has(run.spec.id) });
		const parent = accept();
		await settle();
		const child = accept({ parentId: parent.spec.id });
		await settle();
		launcher.threads[0]?.finish({ finalText: "waiting for my child" });
		await settle();
		expect(parent.status()).toBe("RUNNING");
		mail.add(parent.spec.id);
		launcher.threads[1]?.finish();
		await child.ended.promise;
		await settle();
		expect(launcher.threads[0]?.commands.at(-1)).toEqual({ type: "start-prompt", promptId: "prompt-2" });
		mail.clear();
		launcher.threads[0]?.finish({ finalText: "all done" });
		expect(await parent.ended.promise).toMatchObject({ status: "COMPLETED", finalText: "all done" });
		expect(supervisor.counts().running).toBe(0);
	});

	it("kills the process groups of a run that ends, and no other's", async () => {
		const { accept, killedGroups, launcher, processes, settle } = setUpSupervisor();
		const run = accept();
		const other = accept();
		await settle();
		processes.add(run.key, 4242);
		processes.add(other.key, 5555);
		launcher.threads[0]?.end({ kind: "exited", exitCode: 0 });
		await run.ended.promise;
		expect(killedGroups).toEqual([4242]);
	});

	it("fails a run whose history or agent cannot be composed, naming why", async () => {
		const { accept, supervisor } = setUpSupervisor({
			compose: async () => {
				throw new Error("no such folder");
			},
		});
		const run = accept();
		expect(await run.ended.promise).toMatchObject({
			status: "FAILED",
			reason: "never-started",
			error: "no such folder",
		});
		expect(supervisor.counts()).toMatchObject({ running: 0, threads: 0 });
	});

	it("hands out a result even when the record cannot be saved, and says so", async () => {
		const { accept, launcher, settle, warnings } = setUpSupervisor({
			putRun: async () => {
				throw new Error("disk full");
			},
		});
		const run = accept();
		await settle();
		launcher.threads[0]?.finish();
		expect(await run.ended.promise).toMatchObject({ status: "COMPLETED" });
		expect(warnings[0]).toContain("disk full");
	});

	it("terminates a thread that breaks the agreement", async () => {
		const { accept, launcher, settle } = setUpSupervisor();
		const run = accept();
		await settle();
		launcher.threads[0]?.options.onFault("Its thread sent a malformed message: number");
		expect(await run.ended.promise).toMatchObject({ reason: "crashed" });
		expect(launcher.threads[0]?.kills).toBe(1);
	});

	it("does not use a row again while a lost thread could still write to it", async () => {
		const { accept, board, clock, launcher, settle, supervisor } = setUpSupervisor();
		const run = accept({ limits: { graceMs: 0 } });
		await settle();
		const free = board.freeRows;
		const thread = launcher.threads[0];
		if (!thread) throw new Error("no thread");
		thread.killResult = "lost";
		void supervisor.cancel(run.spec.id, { reason: "cancelled", why: "stop" });
		await clock.advance(10);
		await run.ended.promise;
		await settle();
		expect(board.freeRows).toBe(free);
	});
});

describe("deadlines", () => {
	const start = async (limits: object) => {
		const set = setUpSupervisor();
		const run = set.accept({ limits });
		await set.settle();
		const row = new BoardRow(set.board.rowBuffer(run.key.row));
		return { ...set, run, row };
	};

	it("ends a run whose thread never gives a sign of life as never-started", async () => {
		const { clock, run } = await start({ startMs: 1_000 });
		await clock.advance(1_100);
		expect(await run.ended.promise).toMatchObject({ status: "FAILED", reason: "never-started" });
	});

	it("ends a run whose event loop stands still as unresponsive", async () => {
		const { clock, row, run } = await start({ unresponsiveMs: 1_000 });
		row.started(1);
		row.heartbeat({ heapBytes: 0, externalBytes: 0 });
		await clock.advance(900);
		row.heartbeat({ heapBytes: 0, externalBytes: 0 });
		await clock.advance(900);
		expect(run.status()).toBe("RUNNING");
		await clock.advance(300);
		expect(await run.ended.promise).toMatchObject({ reason: "unresponsive" });
	});

	it("ends a run above its soft memory mark as out-of-memory", async () => {
		const { clock, row, run } = await start({ heapMb: 100 });
		row.started(1);
		row.heartbeat({ heapBytes: 60 * 2 ** 20, externalBytes: 50 * 2 ** 20 });
		await clock.advance(100);
		expect(await run.ended.promise).toMatchObject({ reason: "out-of-memory" });
	});

	it("asks a run over its wall time to stop and lets it hand in what it has", async () => {
		const { clock, launcher, row, run } = await start({ wallMs: 500 });
		row.started(1);
		row.phase("model");
		await clock.advance(600);
		expect(launcher.threads[0]?.commands.at(-1)?.type).toBe("cancel-run");
		launcher.threads[0]?.finish({ reason: "cancelled", finalText: "so far" });
		expect(await run.ended.promise).toMatchObject({ reason: "timeout", finalText: "so far" });
	});

	it("ends a run in which nothing moves as idle-timeout, but not one that rests", async () => {
		const { clock, launcher, row, run } = await start({ idleMs: 500, unresponsiveMs: 1e9 });
		row.started(1);
		row.phase("idle");
		await clock.advance(2_000);
		expect(run.status()).toBe("RUNNING");
		row.phase("model");
		await clock.advance(700);
		launcher.threads[0]?.finish({ reason: "cancelled", finalText: "" });
		expect(await run.ended.promise).toMatchObject({ reason: "idle-timeout" });
	});

	it("stops the wall and idle clocks while a person is asked", async () => {
		const { clock, row, run, supervisor } = await start({ wallMs: 500, idleMs: 500, unresponsiveMs: 1e9 });
		row.started(1);
		row.phase("tool");
		await clock.advance(300);
		const goOn = supervisor.pauseClocks(run);
		await clock.advance(10_000);
		expect(run.stop).toBeUndefined();
		goOn();
		await clock.advance(100);
		expect(run.stop).toBeUndefined();
		await clock.advance(300);
		expect(run.stop?.reason).toBe("timeout");
	});
});
