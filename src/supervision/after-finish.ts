// What a run's end sets off: its children stop, its thread is seen off, its record is announced, its parent goes on.

import { settleIdle } from "./follow-prompt.ts";
import type { LiveRun } from "./live-run.ts";
import { isLoading, killThread, stopFamily } from "./stop-run.ts";
import type { FinishedRun, SupervisorState } from "./supervisor-state.ts";
import { settleLater } from "./supervisor-state.ts";

export function afterFinish(state: SupervisorState, run: LiveRun, { saved, clean }: FinishedRun): void {
	for (const child of run.children) stopFamily(state, child, { reason: "cancelled", why: "its parent ended" });
	const retired = retireThread(state, run, clean);
	settleLater(state, "thread release", retired);
	settleLater(
		state,
		"run end",
		announceEnd(
			state,
			run,
			saved,
			retired.catch(() => {}),
		),
	);
}

/** Sees the thread off and then gives the board row back: never while the thread could still write to it. */
async function retireThread(state: SupervisorState, run: LiveRun, clean: boolean): Promise<void> {
	const { board, clock, endStrays, killTimeoutMs } = state.options;
	if (run.thread && !run.writtenOff.settled) {
		// Upstream: Node leaks the file descriptors of fs promises that are open when a thread is terminated, and a thread
		// that loads modules has many. It is asked to end when it has loaded them.
		if (run.killing || !(clean || isLoading(state, run))) killThread(state, run);
		else run.thread.release(true);
		const late = clock.after(killTimeoutMs, () => killThread(state, run), { keepAlive: true });
		await Promise.race([run.thread.ended, run.writtenOff.promise]);
		late.cancel();
	}
	if (!clean && run.thread) await endStrays(run.spec.id);
	// A lost thread may write to its row for ever: the row is spent.
	if (!run.writtenOff.settled) board.free(run.key);
}

async function announceEnd(
	state: SupervisorState,
	run: LiveRun,
	saved: Promise<void>,
	retired: Promise<void>,
): Promise<void> {
	await run.admitted;
	await saved;
	try {
		await state.options.onEnded(run, retired);
	} finally {
		run.events.emit("event", { type: "ended", record: run.record });
		run.ended.resolve(run.record);
		run.events.removeAll();
		if (run.parent) {
			run.parent.children.delete(run);
			settleIdle(state, run.parent);
		}
	}
}
