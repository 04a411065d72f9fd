// Shows on the board that this thread's event loop turns, and how much memory its heap has.

import { getHeapStatistics } from "node:v8";
import type { Clock } from "../lib/clock.ts";
import type { BoardRow } from "../supervision/board-row.ts";

/** Beats now and every `intervalMs` until the returned function is called. */
export function startHeartbeat(row: BoardRow, clock: Clock, intervalMs: number): () => void {
	const beat = () => {
		const { used_heap_size, external_memory, malloced_memory } = getHeapStatistics();
		// The heap's own count of external memory leaves shared buffers out.
		const buffers = Math.max(external_memory, process.memoryUsage().arrayBuffers);
		row.heartbeat({ heapBytes: used_heap_size, externalBytes: buffers + malloced_memory });
	};
	beat();
	const timer = clock.every(intervalMs, beat);
	return () => timer.cancel();
}
