// Shows on the board that this thread's event loop turns, and how much memory its heap has.

import { getHeapStatistics } from "node:v8";
import type { Clock } from "../lib/clock.ts";
import type { BoardRow } from "../supervision/board-row.ts";

export interface HeartbeatOptions {
	readonly intervalMs: number;
	/**
	 * Counts shared buffers too, which the heap's own count of external memory leaves out. Only code from outside makes
	 * such; and the look costs a walk over every thread of the process.
	 */
	readonly countsShared: boolean;
}

/** Beats now and every `intervalMs` until the returned function is called. */
export function startHeartbeat(row: BoardRow, clock: Clock, options: HeartbeatOptions): () => void {
	const { intervalMs, countsShared } = options;
	const beat = () => {
		const { used_heap_size, external_memory, malloced_memory } = getHeapStatistics();
		const buffers = countsShared ? Math.max(external_memory, process.memoryUsage().arrayBuffers) : external_memory;
		row.heartbeat({ heapBytes: used_heap_size, externalBytes: buffers + malloced_memory });
	};
	beat();
	const timer = clock.every(intervalMs, beat);
	return () => timer.cancel();
}
