// One process that works on a shared task board until it is told to stop. It prints what it does, one step a
// line, and goes on after a claim only when it is told: so whoever watches can kill it while it holds a task.

import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { isClowderError } from "../../src/errors.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { identifySelf } from "../../src/store/process-identity.ts";
import { openStore } from "../../src/store/store.ts";
import type { Task } from "../../src/tasks/task.ts";
import { createTaskBoard, type TaskBoard } from "../../src/tasks/task-board.ts";

/** Failures that only mean that another process was faster. */
const LOST_RACES = ["ERR_TASK_CLAIMED", "ERR_TASK_BLOCKED"];

export async function runTaskWorker(stateDir: string): Promise<void> {
	const sessionId = `session_${randomUUID()}`;
	const store = await openStore({ stateDir, clock: systemClock });
	await store.sessions.start({ id: sessionId, cwd: stateDir, owner: await identifySelf() });
	// The dead are found quickly; the living keep their leases however busy the machine is.
	const board = createTaskBoard({ store, clock: systemClock, sessionId, roundMs: 100, pollMs: 50 });
	board.start();
	const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
	while (board.list().some((task) => task.status !== "COMPLETED")) {
		const changed = nextChange(board);
		const task = await claimAny(board, sessionId);
		if (!task) {
			await changed;
			continue;
		}
		console.log(`claimed ${task.id} ${task.claimVersion}`);
		if (board.openBlockers(task).length > 0) console.log(`wrong ${task.id} was claimed before its blockers were done`);
		if ((await orders.next()).done) break;
		await board.complete(task.id, { ownerId: ownerOf(sessionId), claimVersion: task.claimVersion });
		console.log(`completed ${task.id} ${task.claimVersion}`);
	}
	await board.close();
	await store.close();
	console.log("done");
	process.exit(0);
}

const ownerOf = (sessionId: string) => `${sessionId}/worker`;

async function claimAny(board: TaskBoard, sessionId: string): Promise<Task | undefined> {
	for (const { id } of board.ready()) {
		try {
			return await board.claim(id, { id: ownerOf(sessionId), name: "worker", sessionId });
		} catch (thrown) {
			if (!isClowderError(thrown) || !LOST_RACES.includes(thrown.code)) throw thrown;
		}
	}
	return undefined;
}

function nextChange(board: TaskBoard): Promise<void> {
	return new Promise((resolve) => {
		const stop = board.onChange(() => {
			stop();
			resolve();
		});
	});
}
