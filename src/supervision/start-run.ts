// RUNNING: a run that has a slot gets a thread.

import { messageOf } from "../errors.ts";
import { startWatching } from "./deadline-watch.ts";
import { describeEnd } from "./describe-end.ts";
import { finishRun } from "./finish-run.ts";
import { followPrompt } from "./follow-prompt.ts";
import type { LiveRun } from "./live-run.ts";
import { receiveReport } from "./receive-report.ts";
import { killThread } from "./stop-run.ts";
import { pump, recordChange, type SupervisorState, settleLater } from "./supervisor-state.ts";

export function startRun(state: SupervisorState, run: LiveRun): void {
	const { board, clock } = state.options;
	if (!board.transition(run.key, "PENDING", "RUNNING")) return state.queue.giveBack(run);
	// Invariant: counted before anything waits, so that the thread limit holds within one pump.
	state.threads += 1;
	settleLater(state, "run record", recordChange(state, run, { status: "RUNNING", startedAt: clock.now() }));
	settleLater(
		state,
		"run start",
		launchThread(state, run).finally(() => {
			state.threads -= 1;
			pump(state);
		}),
	);
}

/** Resolves when the run's thread is gone or written off, or was never made. */
async function launchThread(state: SupervisorState, run: LiveRun): Promise<void> {
	const { clock, compose, launcherFor } = state.options;
	try {
		const init = await compose(run);
		if (run.isTerminal) return;
		run.thread = launcherFor(run.spec.kind).launch({
			init,
			// Order: a thread that waits for its turn to start is not late.
			onStarting: () => startWatching(run, clock),
			onReport: (report) => receiveReport(state, run, report),
			onFault: (why) => {
				run.stop ??= { reason: "crashed", why };
				killThread(state, run);
			},
		});
	} catch (thrown) {
		finishRun(state, run, { reason: "never-started", error: messageOf(thrown) });
		return;
	}
	state.options.onLaunched(run);
	run.prompts.open();
	run.hostCalls.open();
	if (run.spec.kind === "subagent") followPrompt(state, run, run.prompts.enqueue(run.spec.prompt), false);
	const end = await Promise.race([run.thread.ended, run.writtenOff.promise]);
	if (!end) return;
	// Order: reports posted before the thread went are handled before its end is.
	await run.commits;
	finishRun(state, run, describeEnd(end, run.stop));
}
