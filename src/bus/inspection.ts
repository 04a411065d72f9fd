// What can be watched of the bus: every step that an envelope takes. Texts of messages are not part of it.

import type { EnvelopeKind } from "../wire/envelope.ts";

export const ROUTING_STEPS = [
	/** Has its place in the mailbox, durable where the bus is. */
	"accepted",
	/** Handed to the live receiver; `redelivered` when another one had it before. */
	"delivered",
	"redelivered",
	/** An id that was accepted before; nothing else happened. */
	"duplicate",
	/** Turned down; `detail` is the error's code. */
	"refused",
	/** Part of the receiver's committed history, and out of the mailbox. */
	"acknowledged",
	/** Given to the asker that waited for it. */
	"answered",
	/** Kept aside: nobody will take it; `detail` says why. */
	"dead-lettered",
	/** The receiver threw when it was handed mail, and counts as detached. */
	"receiver-failed",
] as const;

export interface RoutingStep {
	readonly step: (typeof ROUTING_STEPS)[number];
	/** Milliseconds since the Unix epoch. */
	readonly at: number;
	readonly from: string;
	readonly to: string;
	readonly messageId: string;
	readonly kind: EnvelopeKind;
	readonly correlationId?: string;
	readonly detail?: string;
}

/** A mailbox as it stands, for status pages. */
export interface MailboxStatus {
	readonly address: string;
	/** A live receiver is attached. */
	readonly attached: boolean;
	/** Envelopes that are not acknowledged. */
	readonly waiting: number;
}
