// Mail for one agent, between its arrival in the thread and the turn boundary at which it is read.

import type { Inbox } from "../../agent/types.ts";
import type { Envelope } from "../../wire/envelope.ts";

const MAX_REMEMBERED = 4_096;

export interface ThreadInbox extends Inbox {
	deliver(envelopes: readonly Envelope[]): void;
}

/** At-least-once comes in, once comes out: an envelope that was delivered before is dropped by its id. */
export function createInbox(): ThreadInbox {
	const seen = new Set<string>();
	let waiting: Envelope[] = [];
	return {
		deliver: (envelopes) => {
			for (const envelope of envelopes) {
				if (seen.has(envelope.id)) continue;
				seen.add(envelope.id);
				if (seen.size > MAX_REMEMBERED) seen.delete(seen.values().next().value as string);
				waiting.push(envelope);
			}
		},
		take: () => {
			const taken = waiting;
			waiting = [];
			return taken;
		},
	};
}
