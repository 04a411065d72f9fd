// Looks at every running agent's row from outside, so that an agent that cannot act is still seen.
// Works with counters, not with clocks of other threads: a row is silent when its counter stands still
// between two of main's own looks. A suspended machine or a blocked main thread therefore kills nobody.

import type { Clock, TimerHandle } from "../lib/clock.ts";
import { decideDeadline, type Overdue } from "./decide-deadline.ts";
import type { LiveRun, Watch } from "./live-run.ts";
import type { BoardReading, StatusBoard } from "./status-board.ts";

export interface DeadlineWatchOptions {
	readonly clock: Clock;
	readonly board: StatusBoard;
	/** Time between two looks, in ms. */
	readonly intervalMs: number;
	runs(): Iterable<LiveRun>;
	onOverdue(run: LiveRun, overdue: Overdue): void;
}

/** Starts the watch of a run that has just become RUNNING. */
export function startWatching(run: LiveRun, clock: Clock): void {
	const now = clock.monotonicMs();
	run.watch = {
		runningSince: now,
		heartbeat: 0,
		heartbeatAt: now,
		activity: 0,
		activityAt: now,
		pauses: 0,
		idleHolds: 0,
		pausedMs: 0,
		pausedAt: 0,
	};
}

/** Stops a run's wall and idle clocks until the returned function is called once. */
export function pauseWatch(run: LiveRun, clock: Clock): () => void {
	const watch = run.watch;
	if (!watch) return () => {};
	if (watch.pauses === 0) watch.pausedAt = clock.monotonicMs();
	watch.pauses += 1;
	let resumed = false;
	return () => {
		if (resumed) return;
		resumed = true;
		watch.pauses -= 1;
		if (watch.pauses > 0) return;
		const now = clock.monotonicMs();
		watch.pausedMs += now - watch.pausedAt;
		watch.activityAt = now;
	};
}

/** Stops only a run's idle clock, while it waits for a child that has deadlines of its own. */
export function holdIdleWatch(run: LiveRun, clock: Clock): () => void {
	const watch = run.watch;
	if (!watch) return () => {};
	watch.idleHolds += 1;
	return () => {
		watch.idleHolds -= 1;
		watch.activityAt = clock.monotonicMs();
	};
}

function noteProgress(watch: Watch, reading: BoardReading, now: number): void {
	if (reading.heartbeat !== watch.heartbeat) {
		watch.heartbeat = reading.heartbeat;
		watch.heartbeatAt = now;
	}
	if (reading.activity !== watch.activity) {
		watch.activity = reading.activity;
		watch.activityAt = now;
	}
}

/** Looks every `intervalMs` until the returned timer is cancelled. */
export function startDeadlineWatch(options: DeadlineWatchOptions): TimerHandle {
	const { clock, board } = options;
	return clock.every(options.intervalMs, () => {
		const now = clock.monotonicMs();
		for (const run of options.runs()) {
			const reading = board.read(run.key);
			if (!run.watch || reading?.status !== "RUNNING") continue;
			noteProgress(run.watch, reading, now);
			const overdue = decideDeadline(reading, run.watch, run.spec.limits, now);
			if (overdue) options.onOverdue(run, overdue);
		}
	});
}
