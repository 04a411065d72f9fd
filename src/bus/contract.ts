// What the MessageBus promises to the rooms that use it. message-bus.ts keeps the promises.

import type { ClowderError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Unsubscribe } from "../lib/emitter.ts";
import type { MailboxStore } from "../store/mailboxes.ts";
import type { Envelope, OutgoingEnvelope, SendReceipt } from "../wire/envelope.ts";
import type { AskOptions } from "./asks.ts";
import type { DeadLetter } from "./dead-letters.ts";
import type { MailboxStatus, RoutingStep } from "./inspection.ts";

/** The live end of an address: an agent's thread, or a part of the host. */
export interface Receiver {
	/**
	 * Takes envelopes, in order. They stay in the mailbox until `acknowledge`.
	 *
	 * **Contract**: must not wait. A receiver that throws counts as detached and its mail waits for the next one.
	 */
	deliver(envelopes: readonly Envelope[]): void;
}

export interface BusLimits {
	/** Most unacknowledged envelopes per address. @default 1000 */
	readonly mailbox?: number;
	/** Most bytes of text in them per address. @default 16_777_216 */
	readonly mailboxBytes?: number;
	/** Acknowledged ids remembered per address, to tell duplicates. @default 1000 */
	readonly settledIds?: number;
	/** Dead letters kept. @default 200 */
	readonly deadLetters?: number;
	/** Bytes of text in them. @default 8_388_608 */
	readonly deadLetterBytes?: number;
	/** Questions that may wait for their answers. @default 1000 */
	readonly asks?: number;
}

export interface MessageBusOptions {
	readonly clock: Clock;
	readonly limits?: BusLimits;
	/** Makes mail survive the process: a receipt is given once the envelope is durable. */
	readonly mailboxStore?: MailboxStore;
	/** Hears every routing step, as `inspect` does. */
	readonly onEvent?: (step: RoutingStep) => void;
	/** Hears what a listener threw. */
	readonly onListenerError?: (thrown: unknown) => void;
}

export type BroadcastMessage = Pick<OutgoingEnvelope, "body" | "summary" | "data" | "correlationId">;

export interface BroadcastReceipt {
	readonly accepted: (SendReceipt & { readonly to: string })[];
	readonly refused: { readonly to: string; readonly error: ClowderError }[];
}

/**
 * Routes envelopes between addresses. Single writer: everything happens on the thread that made it.
 *
 * **Contract**: at least once to the receiver, exactly once into its history when it acknowledges what it
 * commits. Senders are named by the caller, who knows whose port a message came from; nothing in a message can
 * name one.
 * **Ordering**: envelopes of one sender to one receiver arrive in the order of the calls to `send`.
 */
export interface MessageBus {
	/**
	 * Opens an address, with what its mailbox still held in the store.
	 *
	 * @throws ClowderError ERR_BAD_INPUT when it is open already or not 1 to 128 characters long.
	 */
	register(address: string, receiver?: Receiver): void;
	/** Closes an address: its mail becomes dead letters, or is dropped, and questions to and from it fail. */
	unregister(address: string, options?: { readonly deadLetters?: boolean }): Promise<void>;
	/**
	 * Connects a live receiver in the place of any former one. It is handed everything not acknowledged, in order.
	 * After a crash, acknowledge first what the transcript says is part of the history.
	 *
	 * @returns a function that disconnects this receiver, and does nothing once another one is connected.
	 * @throws ClowderError ERR_UNKNOWN_RECEIVER
	 */
	attach(address: string, receiver: Receiver): Unsubscribe;
	/** Disconnects whatever receiver there is; the mailbox goes on taking mail. */
	detach(address: string): void;
	/** Open addresses, in the order they were opened. */
	addresses(): string[];

	/**
	 * Sends one envelope. With an `id` of the sender's own, sending it again is harmless: it gets the first
	 * receipt again.
	 *
	 * @throws ClowderError ERR_BAD_INPUT, ERR_UNKNOWN_RECEIVER (lists the open addresses), ERR_MAILBOX_FULL,
	 * ERR_STATE_DIR when it cannot be made durable, ERR_CLOSED. Nothing is delivered then.
	 */
	send(from: string, outgoing: OutgoingEnvelope): Promise<SendReceipt>;
	/** Sends to every open address but the sender's own; one that refuses does not stop the others. */
	broadcast(from: string, message: BroadcastMessage): Promise<BroadcastReceipt>;
	/**
	 * Sends a question and waits for the answer: the next envelope from that address to the asker with the
	 * question's correlation id. The answer goes into no mailbox (its `seq` is 0); one that comes too late does.
	 *
	 * @throws what `send` throws; ClowderError ERR_TIMEOUT, ERR_ABORTED; ERR_UNKNOWN_RECEIVER when the asked
	 * address is closed meanwhile; ERR_CLOSED.
	 */
	ask(from: string, outgoing: OutgoingEnvelope, options: AskOptions): Promise<Envelope>;
	/**
	 * Takes envelopes out of a mailbox because they are now part of the receiver's committed history. Ids that
	 * are not there are passed over. Resolves when that is durable.
	 */
	acknowledge(address: string, ids: readonly string[]): Promise<void>;

	/** What waits at an address, delivered or not, without any change. */
	peek(address: string): Envelope[];
	/** Takes everything out at once, for a part of the host that keeps no history. Resolves when that is durable. */
	drain(address: string): Promise<Envelope[]>;
	/** Oldest first. */
	deadLetters(): DeadLetter[];
	/** Hears every routing step. */
	inspect(listener: (step: RoutingStep) => void): Unsubscribe;
	status(): MailboxStatus[];
	/** Refuses new mail, fails all questions, waits for what is being saved. Mail in the store stays there. */
	close(): Promise<void>;
}
