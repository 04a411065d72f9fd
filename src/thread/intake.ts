// What agents' threads send comes in here, and is handled in small portions: a hundred agents that speak at once, or
// one that never stops, must not hold up the event loop of the program that embeds us. Main thread; one per supervisor.

import { BoundedQueue } from "../lib/bounded-queue.ts";
import { soon, systemClock } from "../lib/clock.ts";

/** Longest time that one round of the event loop spends here, in ms; one message is always handled whole. */
const PORTION_MS = 4;
/** Most messages of one agent that may wait; its thread is not trusted to stop by itself. */
const MAX_WAITING = 20_000;

/** The messages of one agent, in their order. */
export interface IntakeLane {
	/** Handles it now or in a later round. False when too many wait already: it is dropped. */
	take(handle: () => void): boolean;
}

export interface Intake {
	lane(): IntakeLane;
}

/**
 * **Ordering**: within a lane as they came; lanes take turns, so that one that is full does not hold up the others.
 */
export function createIntake(): Intake {
	const lanes: BoundedQueue<() => void>[] = [];
	let spentMs = 0;
	let isDue = false;

	function runNow(handle: () => void): void {
		const startedMs = systemClock.monotonicMs();
		try {
			handle();
		} finally {
			spentMs += systemClock.monotonicMs() - startedMs;
			nextRound();
		}
	}

	function nextRound(): void {
		if (isDue) return;
		isDue = true;
		soon(runPortion);
	}

	function runPortion(): void {
		isDue = false;
		spentMs = 0;
		while (lanes.length > 0 && spentMs < PORTION_MS) {
			const lane = lanes.shift();
			const handle = lane?.shift();
			if (lane && lane.size > 0) lanes.push(lane);
			if (handle) runNow(handle);
		}
		if (lanes.length > 0) nextRound();
	}

	return {
		lane() {
			const waiting = new BoundedQueue<() => void>(MAX_WAITING);
			return {
				take(handle) {
					if (lanes.length === 0 && spentMs < PORTION_MS) {
						runNow(handle);
						return true;
					}
					if (!waiting.push(handle)) return false;
					if (waiting.size === 1) lanes.push(waiting);
					nextRound();
					return true;
				},
			};
		},
	};
}
