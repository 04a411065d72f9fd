// Messages between the agents of a team, and from a person or the host to one of them. Who sends is decided by the
// caller, who knows whose port a message came over; a message that was accepted is in a durable mailbox.

import { ClowderError, isClowderError, messageOf } from "../errors.ts";
import type { EnvelopeKind, SendReceipt } from "../wire/envelope.ts";
import { nameKey } from "./member.ts";
import { isLive, type Place } from "./roster.ts";
import type { TeamState } from "./team-parts.ts";

export interface TeamMessage {
	/** The address it comes from: a teammate's name, the lead's or `user`. */
	readonly from: string;
	/** A teammate's name, or `lead` (also `main`). */
	readonly to: string;
	readonly body: string;
	/** A few words for people. */
	readonly summary?: string;
	/** With an id of the sender's own, sending it again changes nothing. */
	readonly id?: string;
}

export interface TeamReceipt extends SendReceipt {
	readonly to: string;
	/** Why it is not read soon: the receiver has failed, and reads it when it is spawned again. */
	readonly waitsFor?: string;
}

/** @throws ERR_UNKNOWN_TEAMMATE (names the known ones), ERR_BAD_INPUT, ERR_MAILBOX_FULL */
export async function sendMessage(
	state: TeamState,
	message: TeamMessage,
	kind: EnvelopeKind = "message",
): Promise<TeamReceipt> {
	const { from, body, summary, id } = message;
	const { to, place } = resolve(state, message.to, from);
	if (to === from) throw new ClowderError("ERR_BAD_INPUT", "an agent cannot write to itself");
	const receipt = await state.parts.bus
		.send(from, {
			kind,
			to,
			body,
			...(id === undefined ? {} : { id }),
			...(summary === undefined ? {} : { summary: summary.slice(0, 400) }),
		})
		.catch((thrown: unknown) => {
			// Race: the receiver has just been shut down.
			if (isClowderError(thrown) && thrown.code === "ERR_UNKNOWN_RECEIVER") throw unknown(state, message.to);
			throw thrown;
		});
	return { ...receipt, to, ...(place && !isLive(place) ? { waitsFor: "it has failed" } : {}) };
}

export interface BroadcastReport {
	readonly sent: readonly TeamReceipt[];
	readonly refused: readonly { readonly to: string; readonly why: string }[];
}

/** To every teammate that lives and the lead, the sender left out. */
export async function broadcast(state: TeamState, message: Omit<TeamMessage, "to">): Promise<BroadcastReport> {
	const lead = state.parts.lead();
	const names = [...(lead === undefined ? [] : [lead]), ...state.roster.live().map(({ member }) => member.name)];
	const sent: TeamReceipt[] = [];
	const refused: { to: string; why: string }[] = [];
	for (const to of names.filter((name) => name !== message.from)) {
		const id = message.id === undefined ? {} : { id: `${message.id}-${to}` };
		try {
			sent.push(await sendMessage(state, { ...message, ...id, to }, "broadcast"));
		} catch (thrown) {
			refused.push({ to, why: messageOf(thrown) });
		}
	}
	return { sent, refused };
}

function resolve(state: TeamState, name: string, from: string): { readonly to: string; readonly place?: Place } {
	const place = state.roster.find(name);
	if (place) {
		if (place.member.end?.status === "STOPPED" || place.stopping !== undefined) {
			throw new ClowderError(
				"ERR_UNKNOWN_TEAMMATE",
				`'${place.member.name}' has been shut down and reads nothing more`,
			);
		}
		// One that failed, also with a former process, reads it when it is taken up again.
		state.parts.openMailbox(place.member.name);
		return { to: place.member.name, place };
	}
	const lead = state.roster.find(from)?.member.lead ?? state.parts.lead();
	const key = nameKey(name);
	if (lead !== undefined && (key === "lead" || key === "main" || key === nameKey(lead))) return { to: lead };
	throw unknown(state, name);
}

/** The error for a name that is nobody's. */
export function unknown(state: TeamState, name: string): ClowderError {
	const lead = state.parts.lead();
	const live = state.roster.live().map(({ member }) => member.name);
	const known = [...(lead === undefined ? [] : [lead]), ...live];
	return new ClowderError("ERR_UNKNOWN_TEAMMATE", `there is no agent called '${name.slice(0, 80)}'`, {
		remedy: known.length > 0 ? `Known: ${known.join(", ")}` : "There are no teammates; spawn one first",
	});
}
