// The records of a session's runs as they are now: of those that live, with what they have used so far.

import type { Store } from "../../store/store.ts";
import type { RunSupervisor } from "../../supervision/run-supervisor.ts";
import type { RunRecord } from "../../wire/run.ts";

/** Oldest first. */
export function readRuns(store: Store, supervisor: RunSupervisor, sessionId: string): RunRecord[] {
	const live = new Map(supervisor.live().map((run) => [run.spec.id, { ...run.record, usage: run.usage() }]));
	const stored = store.runs.listRuns({ sessionId }).map((record) => {
		const now = live.get(record.id) ?? record;
		live.delete(record.id);
		return now;
	});
	// Those whose first record is still on its way to the disk.
	return [...stored, ...live.values()];
}
