// Mail that waits across the death of the process: what was accepted for an address and not yet acknowledged,
// and which ids were acknowledged of late, so that a sender that tries again is not delivered twice.

import * as z from "zod";
import { type Envelope, envelopeSchema } from "../wire/envelope.ts";
import type { Table, Transactions } from "./table.ts";

/** What a mailbox remembers of an envelope that was acknowledged. */
export const settledMailSchema = z.object({ id: z.string(), from: z.string(), seq: z.number().int() });
export type SettledMail = z.infer<typeof settledMailSchema>;

/** One place in a mailbox: the envelope, or what is left of it. */
export const mailRecordSchema = z.union([
	z.object({ envelope: envelopeSchema }),
	z.object({ settled: settledMailSchema }),
]);
export type MailRecord = z.infer<typeof mailRecordSchema>;

/** A mailbox as it was left; both lists in the order of `seq`. */
export interface StoredMailbox {
	readonly waiting: Envelope[];
	readonly settled: SettledMail[];
}

/** Keeps the mailboxes of one bus. The bus is the only writer. */
export interface MailboxStore {
	load(address: string): StoredMailbox;
	/** Addresses that have a mailbox. */
	addresses(): string[];
	/** Resolves when the envelope is durable. */
	append(envelope: Envelope): Promise<void>;
	/** Puts what is remembered of envelopes in their place, and drops the records at the places `forget`. */
	settle(address: string, mail: readonly SettledMail[], forget: readonly number[]): Promise<void>;
	/** Drops a mailbox and all that it remembers. */
	clear(address: string): Promise<void>;
}

/** The mailboxes under `scope` (a session's id): sessions that share a store do not share mail. */
export function createMailboxStore(table: Table<MailRecord>, transactions: Transactions, scope: string): MailboxStore {
	const keyOf = (address: string, seq: number) => [scope, address, seq];

	return {
		load(address) {
			const records = table.entries({ prefix: [scope, address] }).map((entry) => entry.value);
			return {
				waiting: records.flatMap((record) => ("envelope" in record ? record.envelope : [])),
				settled: records.flatMap((record) => ("settled" in record ? record.settled : [])),
			};
		},
		addresses: () => [...new Set(table.keys({ prefix: [scope] }).map((key) => key[1] as string))],
		append: (envelope) => transactions.run(() => table.set(keyOf(envelope.to, envelope.seq), { envelope })),
		settle: (address, mail, forget) =>
			transactions.run(() => {
				for (const settled of mail) table.set(keyOf(address, settled.seq), { settled });
				for (const seq of forget) table.remove(keyOf(address, seq));
			}),
		clear: (address) =>
			transactions.run(() => {
				for (const key of table.keys({ prefix: [scope, address] })) table.remove(key);
			}),
	};
}
