// terminate() ends loops and waits within milliseconds, but not a blocking native call; so it has a time limit.

import type { Worker } from "node:worker_threads";
import type { Clock } from "../lib/clock.ts";

/** Terminates a worker; `lost` when it has not gone within `timeoutMs`. */
export function terminateWorker(worker: Worker, timeoutMs: number, clock: Clock): Promise<"gone" | "lost"> {
	if (worker.threadId === -1) return Promise.resolve("gone");
	return new Promise((resolve) => {
		const timer = clock.after(timeoutMs, () => resolve("lost"), { keepAlive: true });
		worker.once("exit", () => {
			timer.cancel();
			resolve("gone");
		});
		void worker.terminate();
	});
}
