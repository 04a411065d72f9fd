// What follows a finished prompt: the end of a subagent, a wake-up for mail that has come in, or rest.
// Level-triggered: looks at children and mail as they are, so no message between two looks is lost.

import type { RunOutcome } from "../wire/run.ts";
import { finishRun } from "./finish-run.ts";
import type { LiveRun } from "./live-run.ts";
import type { SupervisorState } from "./supervisor-state.ts";

/** A wake-up that finds nothing to read this often in a row is a fault; the next mail starts anew. */
const MAX_EMPTY_WAKES = 3;

export function followPrompt(
	state: SupervisorState,
	run: LiveRun,
	finished: Promise<RunOutcome>,
	woken: boolean,
): void {
	void finished.then((outcome) => {
		if (run.isTerminal) return;
		const foundNothing = woken && outcome.reason === "done" && outcome.finalText === "";
		run.emptyWakes = foundNothing ? run.emptyWakes + 1 : 0;
		if (!foundNothing) run.lastOutcome = outcome;
		run.events.emit("event", { type: "prompt-finished", outcome, woken });
		if (run.stop) return finishStopped(state, run, outcome);
		if (run.spec.kind === "subagent" && outcome.reason !== "done") return finishWith(state, run, outcome);
		settleIdle(state, run);
	});
}

/** An agent without work: reads its mail, or ends if it is a subagent with nothing left to wait for. */
export function settleIdle(state: SupervisorState, run: LiveRun): void {
	if (run.isTerminal || run.stop || run.prompts.busy) return;
	if (state.options.hasMail(run) && run.emptyWakes < MAX_EMPTY_WAKES) return wakeRun(state, run);
	if (run.spec.kind !== "subagent" || run.children.size > 0) return;
	if (run.lastOutcome) finishWith(state, run, run.lastOutcome);
}

/** Lets an idle agent read its mail. */
export function wakeRun(state: SupervisorState, run: LiveRun): void {
	if (run.isTerminal || run.stop || run.prompts.busy || !run.thread) return;
	followPrompt(state, run, run.prompts.enqueue(undefined), true);
}

function finishWith(state: SupervisorState, run: LiveRun, outcome: RunOutcome): void {
	finishRun(state, run, { ...outcome, clean: true });
}

// A stop that crossed with a natural end lets the natural end stand.
function finishStopped(state: SupervisorState, run: LiveRun, outcome: RunOutcome): void {
	const gaveWay = outcome.reason === "cancelled" || outcome.reason === "interrupted";
	if (!gaveWay && run.spec.kind === "subagent") return finishWith(state, run, outcome);
	const { reason, why } = run.stop ?? { reason: "cancelled", why: "" };
	finishRun(state, run, { reason, error: why, finalText: outcome.finalText });
}
