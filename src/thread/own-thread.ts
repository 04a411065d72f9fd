// What code inside a thread may know of and do with its own thread.

import { getPriority, setPriority } from "node:os";
import { parentPort, threadId } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";

export const ownThreadId: number = threadId;

/** How much less than the host an agent weighs when both want the processor (`nice`). */
const NICENESS = 5;

/**
 * Lets the main and gateway threads go first: an agent must not slow its host. Linux has a priority per thread, which
 * this thread's child processes inherit; elsewhere it would be the whole process's, so nothing is done.
 */
export function giveWay(): void {
	if (process.platform !== "linux") return;
	try {
		if (getPriority(0) < NICENESS) setPriority(0, NICENESS);
	} catch {
		// A sandbox may forbid it; the agent then weighs as much as its host.
	}
}

/** Offers an API to the thread that started this one. */
export function exposeToParent(api: object): void {
	if (!parentPort) throw new Error("This entry must be started as a thread");
	Comlink.expose(api, nodeEndpoint(parentPort));
}
