import type { MessageBusOptions, Receiver } from "../../src/bus/contract.ts";
import type { RoutingStep } from "../../src/bus/inspection.ts";
import { createMessageBus } from "../../src/bus/message-bus.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { Envelope, OutgoingEnvelope } from "../../src/wire/envelope.ts";

export function setUpBus(options: Partial<MessageBusOptions> = {}) {
	const clock = createFakeClock(5_000);
	const steps: RoutingStep[] = [];
	const bus = createMessageBus({ clock, onEvent: (step) => steps.push(step), ...options });
	return { bus, clock, steps };
}

/** A receiver that keeps what it is handed. */
export function createReceiver(): Receiver & { readonly got: Envelope[]; bodies(): string[] } {
	const got: Envelope[] = [];
	return {
		got,
		bodies: () => got.map((envelope) => envelope.body),
		deliver: (envelopes) => void got.push(...envelopes),
	};
}

export function message(to: string, body: string, over: Partial<OutgoingEnvelope> = {}): OutgoingEnvelope {
	return { kind: "message", to, body, ...over };
}
