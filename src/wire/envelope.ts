// What the MessageBus carries between agents. Plain data, one shape for every kind.

import * as z from "zod";

export const ENVELOPE_KINDS = [
	"message",
	"broadcast",
	"task",
	"result",
	"notification",
	"shutdown_request",
	"shutdown_response",
	"plan_approval_request",
	"plan_approval_response",
	"permission_request",
	"permission_response",
	"idle",
	"error",
] as const;

export const envelopeSchema = z.object({
	id: z.string().min(1).max(200),
	kind: z.enum(ENVELOPE_KINDS),
	from: z.string().min(1).max(128),
	to: z.string().min(1).max(128),
	/** What the receiver's model reads. At most 256 KiB of text; larger things go to a file. */
	body: z.string().max(262_144),
	/** A few words for people: progress lines and logs. */
	summary: z.string().max(400).optional(),
	/** Ties a reply to what it answers. */
	correlationId: z.string().max(200).optional(),
	/** Facts for programs, per kind; flat. */
	data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
	/** Milliseconds since the Unix epoch, stamped by the bus. */
	sentAt: z.number(),
	/** Place in the receiver's mailbox, stamped by the bus; grows by 1 per accepted envelope. */
	seq: z.number().int(),
});
export type Envelope = z.infer<typeof envelopeSchema>;
export type EnvelopeKind = Envelope["kind"];

/** What a sender provides; the bus stamps the rest. */
export const outgoingEnvelopeSchema = envelopeSchema
	.omit({ id: true, from: true, sentAt: true, seq: true })
	.extend({ id: z.string().min(1).max(200).optional() });
export type OutgoingEnvelope = z.infer<typeof outgoingEnvelopeSchema>;

export interface SendReceipt {
	readonly id: string;
	/** `delivered`: handed to the live receiver. `queued`: kept until the receiver takes it. */
	readonly state: "delivered" | "queued";
}
