// Which agents work in a turn that no person started: a scheduled prompt woke the lead. Neither it nor a subagent it
// starts in that turn may ask a person.

import { isDeliveryId } from "../../cron/schedule.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { Envelope } from "../../wire/envelope.ts";

export interface Unattended {
	has(runId: string): boolean;
	/** A run has a thread and is about to get its mail: it takes after its parent, and then goes by its own prompts. */
	follow(run: LiveRun): void;
	forget(runId: string): void;
}

/** @param waiting mail of a run that is not part of its history yet. */
export function createUnattended(waiting: (run: LiveRun) => readonly Envelope[]): Unattended {
	const runs = new Set<string>();
	return {
		has: (runId) => runs.has(runId),
		follow: (run) => {
			const { id, kind } = run.spec;
			if (run.parent && runs.has(run.parent.spec.id)) runs.add(id);
			if (kind === "subagent") return;
			run.events.on("event", (event) => {
				// Order: known when the turn begins, before the agent can ask for anything in it. A scheduled prompt that comes
				// along with a person's own changes nothing: the person is there.
				if (event.type === "prompt-started" && event.woken && waiting(run).some((mail) => isDeliveryId(mail.id))) {
					runs.add(id);
				}
				if (event.type === "prompt-finished") runs.delete(id);
			});
		},
		forget: (runId) => void runs.delete(runId),
	};
}
