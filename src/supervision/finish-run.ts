// COMPLETED | FAILED: the one terminal transition of a run, and the one release of everything it holds.
// What takes time after that (the thread, the children, the announcement) is after-finish.ts.

import type { RunReason } from "../wire/run.ts";
import type { LiveRun } from "./live-run.ts";
import { pump, recordChange, type SupervisorState } from "./supervisor-state.ts";

export interface RunEnd {
	readonly reason: RunReason;
	readonly finalText?: string;
	readonly error?: string | undefined;
	/** The agent ended by itself, between two turns: its thread may be used again. */
	readonly clean?: boolean;
}

/** Ends a run, once: false when another end was first. */
export function finishRun(state: SupervisorState, run: LiveRun, end: RunEnd): boolean {
	const { board, clock, processes, signalGroup } = state.options;
	const status = end.reason === "done" ? "COMPLETED" : "FAILED";
	const usage = run.usage();
	const won =
		board.transition(run.key, "RUNNING", status, end.reason) ||
		(status === "FAILED" && board.transition(run.key, "PENDING", status, end.reason));
	if (!won) return false;

	const saved = recordChange(state, run, {
		status,
		reason: end.reason,
		...(end.finalText === undefined ? {} : { finalText: end.finalText }),
		...(end.error === undefined ? {} : { error: end.error }),
		completedAt: clock.now(),
		usage,
	});
	state.runs.delete(run.spec.id);
	state.queue.release(run);
	run.prompts.close({ reason: end.reason, finalText: end.finalText ?? "", ...(end.error ? { error: end.error } : {}) });
	run.hostCalls.close();
	run.abort.abort(new Error(`run ended: ${end.reason}`));
	const leftProcesses = processes.killGroupsOf(run.key, signalGroup);
	state.afterFinish(run, { saved, clean: end.clean === true && leftProcesses === 0 });
	pump(state);
	return true;
}
