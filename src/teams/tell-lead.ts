// What the lead is told of its team. The lead alone is woken by it.

import { isClowderError } from "../errors.ts";
import type { EnvelopeKind, OutgoingEnvelope } from "../wire/envelope.ts";
import type { TeamState } from "./team-parts.ts";

export interface Tidings {
	/** Names what is told: it comes once. */
	readonly id: string;
	readonly kind: EnvelopeKind;
	/** The address it comes from. */
	readonly from: string;
	readonly body: string;
	readonly summary: string;
	readonly data?: OutgoingEnvelope["data"];
	/** Waits for the lead's next turn instead of waking it. */
	readonly quiet?: boolean;
}

/** Most characters of a teammate's last words that the lead is told; the whole is in its conversation. */
const MAX_WORDS = 20_000;

/** Resolves when it is in the lead's mailbox; a team without a lead has nobody to tell. */
export async function tellLead(state: TeamState, to: string, tidings: Tidings): Promise<void> {
	const { id, kind, from, body, summary, data = {}, quiet = false } = tidings;
	try {
		await state.parts.bus.send(from, {
			id,
			kind,
			to,
			body: body.length > MAX_WORDS ? `${body.slice(0, MAX_WORDS)}\n… (cut)` : body,
			summary: summary.slice(0, 400),
			data: { ...data, ...(quiet ? { quiet } : {}) },
		});
	} catch (thrown) {
		if (isClowderError(thrown) && (thrown.code === "ERR_UNKNOWN_RECEIVER" || thrown.code === "ERR_CLOSED")) return;
		state.parts.onWarning(`The lead was not told that ${summary}: ${String(thrown)}`);
	}
}
