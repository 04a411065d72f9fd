// What an agent has to be told when its conversation is gone on with: every end that concerns it, as the records have
// it. Most were told before; the bus and the transcript know those by their ids and let none through twice.

import type { RunStore } from "../../store/runs.ts";
import { endNotification } from "../../subagents/notification.ts";
import type { OutgoingEnvelope } from "../../wire/envelope.ts";
import type { RunRecord } from "../../wire/run.ts";

/** Ends of the background subagents that runs at this address have started. */
export function subagentEndsFor(address: string, runs: RunStore, sessionId: string): OutgoingEnvelope[] {
	const records = runs.listRuns({ sessionId });
	const atAddress = new Set(
		records.filter((run) => run.kind !== "subagent" && run.name === address).map((run) => run.id),
	);
	return records
		.filter((run) => isEnded(run) && run.background && atAddress.has(run.parentId ?? ""))
		.map((run) => endNotification(run, address));
}

const isEnded = ({ status }: RunRecord) => status === "COMPLETED" || status === "FAILED";
