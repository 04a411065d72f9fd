// PENDING: a run gets its board row, its record and its place in the family.

import { ClowderError, messageOf } from "../errors.ts";
import { onAbort } from "../lib/on-abort.ts";
import type { RunRecord } from "../wire/run.ts";
import { NO_TOTALS } from "../wire/run-names.ts";
import { LiveRun, type RunSpec } from "./live-run.ts";
import { stopFamily } from "./stop-run.ts";
import { recordChange, type SupervisorState } from "./supervisor-state.ts";

/** Takes a run in. Its first durable record is `run.admitted`. @throws ERR_CLOSED, ERR_MAX_CONCURRENT */
export function admitRun(state: SupervisorState, spec: RunSpec): LiveRun {
	const { board, maxConcurrent, maxQueued } = state.options;
	if (state.closed) throw new ClowderError("ERR_CLOSED", "The supervisor is closed");
	const mustWait = spec.kind === "subagent" && !state.queue.hasFreeSlot;
	const key = mustWait && state.queue.queued >= maxQueued ? undefined : board.allocate();
	if (!key) {
		throw new ClowderError("ERR_MAX_CONCURRENT", `max concurrent subagents (${maxConcurrent}) reached`, {
			details: { maxConcurrent, maxQueued },
		});
	}
	const parent = spec.parentId === undefined ? undefined : state.runs.get(spec.parentId);
	const run = new LiveRun({
		spec,
		key,
		parent,
		board,
		record: firstRecord(state, spec),
		onListenerError: (thrown) => state.options.onWarning(messageOf(thrown)),
	});
	state.runs.set(spec.id, run);
	parent?.children.add(run);
	run.admitted = recordChange(state, run, {});
	if (spec.signal) followSignal(state, run, spec.signal);
	return run;
}

function firstRecord({ options }: SupervisorState, spec: RunSpec): RunRecord {
	return {
		id: spec.id,
		sessionId: options.sessionId,
		...(spec.parentId === undefined ? {} : { parentId: spec.parentId }),
		kind: spec.kind,
		name: spec.name,
		description: spec.description,
		prompt: spec.prompt,
		agentType: spec.agentType,
		depth: spec.depth,
		background: spec.background,
		status: "PENDING",
		createdAt: options.clock.now(),
		usage: NO_TOTALS,
	};
}

function followSignal(state: SupervisorState, run: LiveRun, signal: AbortSignal): void {
	const stop = () => {
		const why = signal.reason === undefined ? "its signal was aborted" : messageOf(signal.reason);
		stopFamily(state, run, { reason: "cancelled", why });
	};
	// Order: after the caller has its run, so that a signal aborted beforehand still gives one.
	if (signal.aborted) queueMicrotask(stop);
	else onAbort(run.abort.signal, onAbort(signal, stop));
}
