// The in-process hooks of one agent. Runs in the agent's thread; a handler that throws never stops the agent.

import { CONTINUE, type HookEventName, type HookOutcome, type HookPayloads } from "./events.ts";

export type HookHandler<Name extends HookEventName> = (
	payload: HookPayloads[Name],
) => HookOutcome | Promise<HookOutcome>;

/** Calls handlers in the order they were added and merges what they say. */
export class HookManager {
	readonly #handlers = new Map<HookEventName, HookHandler<HookEventName>[]>();
	readonly #onHandlerError: (thrown: unknown, event: HookEventName) => void;

	constructor(onHandlerError: (thrown: unknown, event: HookEventName) => void) {
		this.#onHandlerError = onHandlerError;
	}

	on<Name extends HookEventName>(event: Name, handler: HookHandler<Name>): void {
		const handlers = this.#handlers.get(event) ?? [];
		handlers.push(handler as HookHandler<HookEventName>);
		this.#handlers.set(event, handlers);
	}

	/** Fires one event. `block` and `stop` end the round; a `replace` is what later handlers see. */
	async fire<Name extends HookEventName>(event: Name, payload: HookPayloads[Name]): Promise<HookOutcome> {
		const handlers = this.#handlers.get(event);
		if (!handlers) return CONTINUE;
		let merged: HookOutcome = CONTINUE;
		for (const handler of handlers) {
			try {
				const outcome = await handler(payload);
				if (outcome.kind === "block" || outcome.kind === "stop") return outcome;
				if (outcome !== CONTINUE) merged = outcome;
			} catch (thrown) {
				this.#onHandlerError(thrown, event);
			}
		}
		return merged;
	}
}
