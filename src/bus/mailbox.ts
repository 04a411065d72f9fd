// One address's mail, in memory: what was accepted and not yet acknowledged, in order, and which ids were
// settled of late. Knows no receiver, no store and no time; message-bus.ts moves it along.
//
// A place in the mailbox goes: saving → waiting → delivered → (acknowledged) settled; a receiver that goes away
// turns delivered ones back to waiting.

import type { SettledMail, StoredMailbox } from "../store/mailboxes.ts";
import type { Envelope, SendReceipt } from "../wire/envelope.ts";

export interface Place {
	readonly envelope: Envelope;
	readonly bytes: number;
	state: "saving" | "waiting" | "delivered";
	/** A receiver had it before, and went away without acknowledging it. */
	wasDelivered: boolean;
	/** Settles when the envelope is accepted for good; a duplicate gets the same answer. */
	accepted: Promise<SendReceipt> | undefined;
}

export interface MailboxLimits {
	/** Most envelopes that wait for their acknowledgement. */
	readonly mailbox: number;
	/** Most bytes of text in them. */
	readonly mailboxBytes: number;
	/** Most settled ids that are remembered. */
	readonly settledIds: number;
}

export class Mailbox {
	readonly address: string;
	readonly #limits: MailboxLimits;
	/** By `seq`; a Map keeps the order of insertion, which is that of `seq`. */
	readonly #places = new Map<number, Place>();
	readonly #placeById = new Map<string, Place>();
	readonly #settled = new Map<string, SettledMail>();
	#bytes = 0;
	#lastSeq = 0;
	/** No place before this one is to be delivered. */
	#undelivered = 1;

	constructor(address: string, limits: MailboxLimits, stored: StoredMailbox = { waiting: [], settled: [] }) {
		this.address = address;
		this.#limits = limits;
		for (const envelope of stored.waiting) this.accept(this.#insert(envelope));
		for (const mail of stored.settled) this.#settled.set(mail.id, mail);
		const seqs = [...stored.waiting, ...stored.settled].map((mail) => mail.seq);
		this.#lastSeq = Math.max(0, ...seqs);
		this.#undelivered = Math.min(this.#lastSeq + 1, ...seqs);
	}

	/** Envelopes that are not acknowledged, those being saved included. */
	get size(): number {
		return this.#places.size;
	}

	/** Who sent the envelope with this id before, if it is remembered. */
	senderOf(id: string): string | undefined {
		return this.#placeById.get(id)?.envelope.from ?? this.#settled.get(id)?.from;
	}

	/** The place of an envelope that is not acknowledged. */
	find(id: string): Place | undefined {
		return this.#placeById.get(id);
	}

	hasRoomFor(bytes: number): boolean {
		return this.#places.size < this.#limits.mailbox && this.#bytes + bytes <= this.#limits.mailboxBytes;
	}

	/** Takes the next place. The envelope is not delivered before `accept`. */
	add(envelope: Omit<Envelope, "seq">): Place {
		this.#lastSeq += 1;
		return this.#insert({ ...envelope, seq: this.#lastSeq });
	}

	/** The envelope is here for good. */
	accept(place: Place): void {
		place.state = "waiting";
	}

	/** Gives up a place whose envelope was not accepted after all. */
	drop(place: Place): void {
		if (this.#placeById.get(place.envelope.id) !== place) return;
		this.#places.delete(place.envelope.seq);
		this.#placeById.delete(place.envelope.id);
		this.#bytes -= place.bytes;
	}

	/**
	 * What to hand to the receiver, marked as delivered.
	 *
	 * **Ordering**: never past one that is still being saved, so that the order of arrival is the order of `seq`.
	 */
	takeWaiting(): Place[] {
		const taken: Place[] = [];
		for (; this.#undelivered <= this.#lastSeq; this.#undelivered++) {
			const place = this.#places.get(this.#undelivered);
			if (place?.state === "saving") break;
			if (place?.state !== "waiting") continue;
			place.state = "delivered";
			taken.push(place);
		}
		return taken;
	}

	/** The receiver is gone: what it was handed waits again. */
	returnDelivered(): void {
		for (const place of this.#places.values()) {
			if (place.state !== "delivered") continue;
			place.state = "waiting";
			place.wasDelivered = true;
			this.#undelivered = Math.min(this.#undelivered, place.envelope.seq);
		}
	}

	/** Accepted envelopes in order, without any change. */
	peek(): Envelope[] {
		return [...this.#places.values()].filter((place) => place.state !== "saving").map((place) => place.envelope);
	}

	/**
	 * Removes envelopes and remembers their ids. Unknown ids, and those acknowledged before, are passed over.
	 *
	 * @returns what was settled now, and the places of settled mail that fell out of memory.
	 */
	settle(ids: readonly string[]): { readonly settled: SettledMail[]; readonly forgotten: number[] } {
		const settled: SettledMail[] = [];
		for (const id of ids) {
			const place = this.#placeById.get(id);
			if (!place || place.state === "saving") continue;
			this.drop(place);
			const mail = { id, from: place.envelope.from, seq: place.envelope.seq };
			this.#settled.set(id, mail);
			settled.push(mail);
		}
		return { settled, forgotten: this.#forgetOldest() };
	}

	#forgetOldest(): number[] {
		const forgotten: number[] = [];
		for (const [id, mail] of this.#settled) {
			if (this.#settled.size <= this.#limits.settledIds) break;
			// Invariant: the store always holds the latest place, so that `seq` goes on from it after a restart.
			if (mail.seq === this.#lastSeq) continue;
			this.#settled.delete(id);
			forgotten.push(mail.seq);
		}
		return forgotten;
	}

	#insert(content: Envelope): Place {
		const envelope = Object.freeze(content);
		const place: Place = {
			envelope,
			bytes: textBytes(envelope),
			state: "saving",
			wasDelivered: false,
			accepted: undefined,
		};
		this.#places.set(envelope.seq, place);
		this.#placeById.set(envelope.id, place);
		this.#bytes += place.bytes;
		return place;
	}
}

/** What an envelope weighs in memory, near enough: its texts at two bytes a character. */
export function textBytes(envelope: Pick<Envelope, "body" | "summary" | "data">): number {
	const data = envelope.data === undefined ? 0 : JSON.stringify(envelope.data).length;
	return 2 * (envelope.body.length + (envelope.summary?.length ?? 0) + data) + 200;
}
