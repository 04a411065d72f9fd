// Leaving the process for good: what was written is flushed, and a thread that cannot be ended does not hold it up.

import { systemClock } from "../lib/clock.ts";

/** Longest time for output to drain, in ms. */
const DRAIN_MS = 1_500;

let threadsAreStuck = false;

/** Some thread blocks in a native call and was written off. */
export function noteStuckThreads(): void {
	threadsAreStuck = true;
}

/** Ends the process with this code once its output has been written. */
export function exitWith(code: number): void {
	let open = 2;
	const leave = () => {
		open -= 1;
		if (open === 0) endProcess(code);
	};
	for (const stream of [process.stdout, process.stderr]) {
		if (stream.writableLength === 0 || stream.destroyed) leave();
		else stream.write("", leave);
	}
	systemClock.after(DRAIN_MS, () => endProcess(code));
}

// Upstream: process.exit() joins every thread, and so waits for ever for one that blocks in a native call.
function endProcess(code: number): void {
	if (threadsAreStuck) process.kill(process.pid, "SIGKILL");
	process.exit(code);
}
