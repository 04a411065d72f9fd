// A Clock that stands still until a test moves it. Timers run in the order they are due (ties: in the order
// they were set), and everything a timer sets off in promises is done before the next one runs.

import type { Clock, TimerHandle } from "../lib/clock.ts";
import { checkMs } from "./check-input.ts";

export interface FakeClock extends Clock {
	/**
	 * Moves the time forward by `ms`, running each timer that comes due at its own moment.
	 *
	 * **Ordering**: between two timers, and once before and after all of them, pending promise callbacks and
	 * one round of I/O run. Overlapping calls run one after another.
	 * @throws ERR_BAD_INPUT for a time that is no number or below 0, and whatever a timer's callback throws; the time
	 * then stands at that timer.
	 */
	advance(ms: number): Promise<void>;
	/** Timers that are set and have not fired; an interval counts as one. */
	pending(): number;
}

interface Timer {
	dueMs: number;
	readonly order: number;
	readonly intervalMs: number | undefined;
	readonly callback: () => void;
}

const DEFAULT_START_MS = Date.UTC(2026, 0, 1);

/**
 * Builds a clock whose `now()` begins at `startMs` and whose monotonic time begins at 0.
 *
 * **Contract**: as a supervisor's clock it moves what the main thread times. Threads follow the real time: heartbeats,
 * `delayMs` of scripted replies, timeouts of tools. One step beyond `startMs` or `unresponsiveMs` ends their runs.
 * @default 2026-01-01T00:00Z
 * @throws ERR_BAD_INPUT
 */
export function createFakeClock(startMs: number = DEFAULT_START_MS): FakeClock {
	checkMs(startMs, "createFakeClock");
	const timers = new Set<Timer>();
	let elapsedMs = 0;
	let nextOrder = 0;
	let advancing: Promise<void> = Promise.resolve();

	function setTimer(delayMs: number, intervalMs: number | undefined, callback: () => void): TimerHandle {
		const timer: Timer = { dueMs: elapsedMs + Math.max(0, delayMs || 0), order: nextOrder++, intervalMs, callback };
		timers.add(timer);
		return { cancel: () => void timers.delete(timer) };
	}

	function fire(timer: Timer): void {
		elapsedMs = Math.max(elapsedMs, timer.dueMs);
		if (timer.intervalMs === undefined) timers.delete(timer);
		else timer.dueMs += timer.intervalMs;
		timer.callback();
	}

	async function run(ms: number): Promise<void> {
		checkMs(ms, "advance");
		await settle();
		const targetMs = elapsedMs + ms;
		for (let timer = firstDue(timers, targetMs); timer; timer = firstDue(timers, targetMs)) {
			fire(timer);
			await settle();
		}
		elapsedMs = targetMs;
	}

	return {
		now: () => startMs + elapsedMs,
		monotonicMs: () => elapsedMs,
		after: (delayMs, callback) => setTimer(delayMs, undefined, callback),
		every: (intervalMs, callback) => {
			// As Node does: an interval of nothing would never let the time move on.
			const stepMs = Math.max(1, intervalMs || 0);
			return setTimer(stepMs, stepMs, callback);
		},
		advance(ms) {
			const done = advancing.then(() => run(ms));
			advancing = done.catch(() => {});
			return done;
		},
		pending: () => timers.size,
	};
}

function firstDue(timers: Iterable<Timer>, targetMs: number): Timer | undefined {
	let first: Timer | undefined;
	for (const timer of timers) {
		if (timer.dueMs > targetMs) continue;
		if (!first || timer.dueMs < first.dueMs || (timer.dueMs === first.dueMs && timer.order < first.order))
			first = timer;
	}
	return first;
}

// A macrotask: however long the chains of promises are, they are done when it runs.
function settle(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}
