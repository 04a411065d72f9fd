// The MessageBus: main thread, single writer. The promises are in contract.ts, the way of an envelope in
// router.ts; this opens and closes addresses and puts the parts together.

import { isClowderError } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { type OutgoingEnvelope, outgoingEnvelopeSchema, type SendReceipt } from "../wire/envelope.ts";
import { Asks } from "./asks.ts";
import type { BroadcastReceipt, MessageBus, MessageBusOptions } from "./contract.ts";
import { DeadLetters } from "./dead-letters.ts";
import { Mailbox, type MailboxLimits } from "./mailbox.ts";
import { badInput, busClosed, leftWithoutAnswer } from "./refusals.ts";
import { Router } from "./router.ts";

export function createMessageBus(options: MessageBusOptions): MessageBus {
	const { clock, mailboxStore: store, limits = {}, onEvent, onListenerError = () => {} } = options;
	const mailboxLimits: MailboxLimits = {
		mailbox: limits.mailbox ?? 1_000,
		mailboxBytes: limits.mailboxBytes ?? 16 * 1024 * 1024,
		settledIds: limits.settledIds ?? 1_000,
	};
	const deadLetters = new DeadLetters({
		count: limits.deadLetters ?? 200,
		bytes: limits.deadLetterBytes ?? 8 * 1024 * 1024,
	});
	const asks = new Asks(clock, limits.asks ?? 1_000);
	const router = new Router({ clock, asks, store, onListenerError });
	const clearing = new Set<string>();
	let closed = false;
	if (onEvent) router.events.on("step", onEvent);

	function assertOpen(): void {
		if (closed) throw busClosed();
	}

	async function send(from: string, outgoing: OutgoingEnvelope): Promise<SendReceipt> {
		assertOpen();
		return router.post(checkSender(from), checkOutgoing(outgoing));
	}

	async function clear(address: string): Promise<void> {
		if (!store) return;
		clearing.add(address);
		try {
			await router.save(store.clear(address));
		} finally {
			clearing.delete(address);
		}
	}

	const bus: MessageBus = {
		register(address, receiver) {
			assertOpen();
			if (address.length < 1 || address.length > 128) throw badInput("An address has 1 to 128 characters");
			if (router.open.has(address)) throw badInput(`The address '${address}' is open already`);
			// Race: the mail of a former owner of this address may still be on its way out of the store.
			const stored = clearing.has(address) ? undefined : store?.load(address);
			router.open.set(address, { mailbox: new Mailbox(address, mailboxLimits, stored), receiver: undefined });
			if (receiver) bus.attach(address, receiver);
		},
		async unregister(address, { deadLetters: keeps = true } = {}) {
			const found = router.open.get(address);
			if (!found) return;
			router.open.delete(address);
			const reason = `'${address}' left`;
			for (const envelope of keeps ? found.mailbox.peek() : []) {
				deadLetters.add({ envelope, reason, at: clock.now() });
				router.tell("dead-lettered", envelope, reason);
			}
			asks.failWhere((question) => question.to === address, leftWithoutAnswer);
			asks.failWhere(
				(question) => question.from === address,
				() => busClosed(address),
			);
			await clear(address);
		},
		attach(address, receiver) {
			const found = router.mustFind(address);
			router.disconnect(address, found.receiver);
			found.receiver = receiver;
			router.deliver(found);
			return () => router.disconnect(address, receiver);
		},
		detach: (address) => router.disconnect(address, router.open.get(address)?.receiver),
		addresses: () => [...router.open.keys()],
		send,
		async broadcast(from, message) {
			const receipt: BroadcastReceipt = { accepted: [], refused: [] };
			const others = [...router.open.keys()].filter((address) => address !== from);
			const sent = others.map((to) => send(from, { ...message, kind: "broadcast", to }));
			for (const [index, result] of (await Promise.allSettled(sent)).entries()) {
				const to = others[index] ?? "";
				if (result.status === "fulfilled") receipt.accepted.push({ to, ...result.value });
				else if (isClowderError(result.reason)) receipt.refused.push({ to, error: result.reason });
				else throw result.reason;
			}
			return receipt;
		},
		async ask(from, outgoing, askOptions) {
			assertOpen();
			const correlationId = outgoing.correlationId ?? newId("ask");
			const question = { from, to: outgoing.to, correlationId };
			// Order: listened to before the question is sent, because the answer may come while it is being saved.
			const answer = asks.wait(question, askOptions);
			void send(from, { ...outgoing, correlationId }).catch((thrown) => asks.fail(question, thrown));
			return answer;
		},
		acknowledge: (address, ids) => router.settle(address, ids),
		peek: (address) => router.mustFind(address).mailbox.peek(),
		async drain(address) {
			const envelopes = router.mustFind(address).mailbox.peek();
			await router.settle(
				address,
				envelopes.map((envelope) => envelope.id),
			);
			return envelopes;
		},
		deadLetters: () => deadLetters.list(),
		inspect: (listener) => router.events.on("step", listener),
		status: () =>
			[...router.open].map(([address, { mailbox, receiver }]) => {
				return { address, attached: receiver !== undefined, waiting: mailbox.size };
			}),
		async close() {
			closed = true;
			asks.failWhere(
				() => true,
				() => busClosed(),
			);
			for (const [address, { receiver }] of router.open) router.disconnect(address, receiver);
			await router.saved();
			router.events.removeAll();
		},
	};
	return bus;
}

function checkSender(from: string): string {
	if (typeof from === "string" && from.length >= 1 && from.length <= 128) return from;
	throw badInput("A sender has 1 to 128 characters");
}

function checkOutgoing(outgoing: OutgoingEnvelope): OutgoingEnvelope {
	const parsed = outgoingEnvelopeSchema.safeParse(outgoing);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw badInput(`The message cannot be sent: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "is not valid"}`);
}
