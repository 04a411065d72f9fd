// The way of one envelope through the bus:
//   1 post: an answer to a question? (asks.ts), known receiver, duplicate, room
//   2 a place in the mailbox (mailbox.ts), in the same synchronous step: this fixes the order
//   3 saved, where there is a store; only then is there a receipt
//   4 deliver: to the live receiver, or it waits for one
//   5 settle: acknowledged, and out of the mailbox
// Who may call what, and when, is in contract.ts.

import { type ClowderError, isClowderError, messageOf } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { createEmitter, type Emitter } from "../lib/emitter.ts";
import { newId } from "../lib/ids.ts";
import type { MailboxStore } from "../store/mailboxes.ts";
import type { Envelope, OutgoingEnvelope, SendReceipt } from "../wire/envelope.ts";
import type { Asks } from "./asks.ts";
import type { Receiver } from "./contract.ts";
import type { RoutingStep } from "./inspection.ts";
import { type Mailbox, type Place, textBytes } from "./mailbox.ts";
import { badInput, mailboxFull, unknownReceiver } from "./refusals.ts";

/** An open address. */
export interface Address {
	readonly mailbox: Mailbox;
	receiver: Receiver | undefined;
}

type Routed = Pick<Envelope, "id" | "kind" | "from" | "to" | "correlationId">;

export interface RouterOptions {
	readonly clock: Clock;
	readonly asks: Asks;
	readonly store: MailboxStore | undefined;
	readonly onListenerError: (thrown: unknown) => void;
}

export class Router {
	readonly open = new Map<string, Address>();
	readonly events: Emitter<{ step: RoutingStep }>;
	readonly #clock: Clock;
	readonly #asks: Asks;
	readonly #store: MailboxStore | undefined;
	readonly #saving = new Set<Promise<unknown>>();

	constructor({ clock, asks, store, onListenerError }: RouterOptions) {
		this.#clock = clock;
		this.#asks = asks;
		this.#store = store;
		this.events = createEmitter(onListenerError);
	}

	mustFind(address: string): Address {
		const found = this.open.get(address);
		if (!found) throw unknownReceiver(address, [...this.open.keys()]);
		return found;
	}

	post(from: string, outgoing: OutgoingEnvelope): Promise<SendReceipt> | SendReceipt {
		const { id = newId("envelope"), ...rest } = outgoing;
		const envelope = { ...rest, id, from, sentAt: this.#clock.now() };
		const asked = this.#asks.find(envelope);
		if (asked) {
			asked.answer({ ...envelope, seq: 0 });
			this.tell("answered", envelope);
			return { id, state: "delivered" };
		}
		const address = this.open.get(envelope.to);
		if (!address) return this.#refuse(envelope, unknownReceiver(envelope.to, [...this.open.keys()]));
		const { mailbox } = address;
		const firstSender = mailbox.senderOf(id);
		if (firstSender !== undefined) return this.#repeat(envelope, firstSender, mailbox.find(id));
		if (!mailbox.hasRoomFor(textBytes(envelope))) return this.#refuse(envelope, mailboxFull(envelope.to, mailbox.size));
		const place = mailbox.add(envelope);
		if (!this.#store) return this.#accept(address, place);
		place.accepted = this.#saveThenAccept(address, place, this.#store);
		return place.accepted;
	}

	/** Hands a receiver what waits for it. One that throws is disconnected. */
	deliver({ mailbox, receiver }: Address): void {
		if (!receiver) return;
		const places = mailbox.takeWaiting();
		if (places.length === 0) return;
		try {
			receiver.deliver(places.map((place) => place.envelope));
		} catch (thrown) {
			this.disconnect(mailbox.address, receiver);
			for (const place of places) this.tell("receiver-failed", place.envelope, messageOf(thrown));
			return;
		}
		for (const place of places) this.tell(place.wasDelivered ? "redelivered" : "delivered", place.envelope);
	}

	/** Takes the receiver off its address, unless another one has taken its place. */
	disconnect(address: string, receiver: Receiver | undefined): void {
		const found = this.open.get(address);
		if (!found || found.receiver !== receiver) return;
		found.receiver = undefined;
		found.mailbox.returnDelivered();
	}

	async settle(address: string, ids: readonly string[]): Promise<void> {
		const found = this.open.get(address);
		if (!found) return;
		const leaving = ids.flatMap((id) => found.mailbox.find(id) ?? []).filter((place) => place.state !== "saving");
		const { settled, forgotten } = found.mailbox.settle(ids);
		if (settled.length === 0) return;
		for (const place of new Set(leaving)) this.tell("acknowledged", place.envelope);
		if (this.#store) await this.save(this.#store.settle(address, settled, forgotten));
	}

	tell(step: RoutingStep["step"], envelope: Routed, detail?: string): void {
		if (this.events.listenerCount("step") === 0) return;
		const { id: messageId, kind, from, to, correlationId } = envelope;
		this.events.emit("step", {
			...{ step, at: this.#clock.now(), from, to, messageId, kind },
			...(correlationId === undefined ? {} : { correlationId }),
			...(detail === undefined ? {} : { detail }),
		});
	}

	/** Waits for the store; `saved` waits for it too. */
	async save(work: Promise<void>): Promise<void> {
		this.#saving.add(work);
		try {
			await work;
		} finally {
			this.#saving.delete(work);
		}
	}

	/** Resolves when nothing is being saved. */
	async saved(): Promise<void> {
		while (this.#saving.size > 0) await Promise.allSettled(this.#saving);
	}

	async #saveThenAccept(address: Address, place: Place, store: MailboxStore): Promise<SendReceipt> {
		try {
			await this.save(store.append(place.envelope));
		} catch (thrown) {
			address.mailbox.drop(place);
			// What came later no longer waits for this one.
			this.deliver(address);
			this.tell("refused", place.envelope, isClowderError(thrown) ? thrown.code : messageOf(thrown));
			throw thrown;
		}
		return this.#accept(address, place);
	}

	#accept(address: Address, place: Place): SendReceipt {
		const { envelope } = place;
		// Race: the address may have been closed while this was saved; closing it clears what was saved before.
		if (this.open.get(envelope.to) !== address) {
			return this.#refuse(envelope, unknownReceiver(envelope.to, [...this.open.keys()]));
		}
		address.mailbox.accept(place);
		this.tell("accepted", envelope);
		this.deliver(address);
		return { id: envelope.id, state: stateOf(place) };
	}

	/** Gives the receipt of the first time again. */
	#repeat(envelope: Routed, firstSender: string, place: Place | undefined): Promise<SendReceipt> | SendReceipt {
		if (firstSender !== envelope.from) {
			return this.#refuse(envelope, badInput(`The id '${envelope.id}' belongs to a message of '${firstSender}'`));
		}
		this.tell("duplicate", envelope);
		if (place?.state === "saving" && place.accepted !== undefined) return place.accepted;
		return { id: envelope.id, state: place ? stateOf(place) : "delivered" };
	}

	#refuse(envelope: Routed, error: ClowderError): never {
		this.tell("refused", envelope, error.code);
		throw error;
	}
}

const stateOf = (place: Place): SendReceipt["state"] => (place.state === "delivered" ? "delivered" : "queued");
