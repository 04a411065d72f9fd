// What a run leaves behind in its thread. A thread of the pool serves one run after another, all of them with the tools
// of this program alone: what they can leave is memory, and a full heap would meet whoever comes next. A run that loads
// a program's tool modules has a thread to itself (start-threads).

import { getHeapStatistics } from "node:v8";
import { DEFAULT_LIMITS } from "../../supervision/decide-deadline.ts";
import type { AgentInit } from "../../wire/control.ts";

/** Ends the thread if so much is left in it when a run is over that the next would have little room. */
export function leaveIfFull({ limits }: Pick<AgentInit, "limits">): void {
	const { used_heap_size, external_memory } = getHeapStatistics();
	const mark = (limits.heapMb ?? DEFAULT_LIMITS.heapMb) * 2 ** 20;
	if (used_heap_size + external_memory > mark / 2) process.exit(0);
}
