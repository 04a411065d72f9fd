// The kill ladder: ask, wait the grace time, terminate, and write the thread off if even that does not end it.
// A run stays RUNNING until its thread is truly gone (or lost): the board never says more than is so. One whose thread
// still loads its modules has done nothing yet: it ends at once, and its thread comes to the end of its loading first.

import { DEFAULT_LIMITS } from "./decide-deadline.ts";
import { finishRun } from "./finish-run.ts";
import type { LiveRun, StopRequest } from "./live-run.ts";
import { type SupervisorState, settleLater } from "./supervisor-state.ts";

/** Stops a run and everything below it, children first. Returns who was not stopping yet. */
export function stopFamily(state: SupervisorState, run: LiveRun, stop: StopRequest): LiveRun[] {
	const stopped = [...run.children].flatMap((child) => stopFamily(state, child, stop));
	if (stopRun(state, run, stop, { atOnce: false })) stopped.push(run);
	return stopped;
}

/** Stops one run; `atOnce` skips asking. False if it has ended or is being stopped already. */
export function stopRun(
	state: SupervisorState,
	run: LiveRun,
	stop: StopRequest,
	{ atOnce }: { readonly atOnce: boolean },
): boolean {
	if (run.isTerminal) return false;
	const first = run.stop === undefined;
	run.stop ??= stop;
	const hasBegun = run.thread !== undefined && !isLoading(state, run);
	if (atOnce && run.thread && (hasBegun || stop.reason !== "never-started")) {
		killThread(state, run);
		return first;
	}
	if (!first) return false;
	// Nothing to ask: it has no agent yet, or one that rests between prompts.
	if (!hasBegun || !run.prompts.busy) {
		finishRun(state, run, { reason: stop.reason, error: stop.why });
		return true;
	}
	askThenKill(state, run, run.stop);
	return true;
}

/** Whether the run's thread has still to come to the end of its loading. */
export function isLoading(state: SupervisorState, run: LiveRun): boolean {
	return run.thread !== undefined && state.options.board.read(run.key)?.phase === "starting";
}

function askThenKill(state: SupervisorState, run: LiveRun, stop: StopRequest): void {
	const graceMs = run.spec.limits.graceMs ?? DEFAULT_LIMITS.graceMs;
	run.thread?.post({ type: "cancel-run", reason: stop.why });
	const timer = state.options.clock.after(graceMs, () => killThread(state, run), { keepAlive: true });
	void run.ended.promise.then(() => timer.cancel());
}

/** Terminates a run's thread. Its end finishes the run; a thread that does not end is written off as `lost`. */
export function killThread(state: SupervisorState, run: LiveRun): void {
	if (!run.thread || run.killing) return;
	run.killing = true;
	const { thread } = run;
	settleLater(
		state,
		"thread termination",
		thread.kill(state.options.killTimeoutMs).then((how) => {
			if (how === "gone") return;
			state.lostThreads += 1;
			run.writtenOff.resolve();
			const error = `${run.stop?.why ?? "It was terminated"}; its thread did not end and was written off`;
			finishRun(state, run, { reason: "lost", error });
		}),
	);
}
