// The in-process hooks of one agent. Runs in the agent's thread and loads nothing heavy. A handler that throws,
// answers nonsense or never settles does not stop the agent: it is told to the guard and counts as `continue`.

import { type Clock, systemClock } from "../lib/clock.ts";
import { onAbort } from "../lib/on-abort.ts";
import { CONTINUE, type HookEventName, type HookOutcome, type HookPayloads } from "./events.ts";
import { addOutcome, isHookOutcome, NOTHING_SAID, toOutcome } from "./merge-outcomes.ts";
import { withReplaced } from "./replaced-payload.ts";

export type HookHandler<Name extends HookEventName> = (
	payload: HookPayloads[Name],
	/** Aborts when the agent is interrupted or the handler's time is up. */
	signal: AbortSignal,
) => HookOutcome | Promise<HookOutcome>;

export interface HookManagerOptions {
	/** @default the system's clock */
	readonly clock?: Clock;
	/** Longest time one handler may take, in ms. @default 60_000 */
	readonly handlerTimeoutMs?: number;
}

export interface HookOptions {
	/** Longest time this handler may take, in ms; Infinity for one that has a limit of its own. */
	readonly timeoutMs?: number;
}

/** Looks on at once and has no say: no signal, no time limit, nothing to wait for. */
export type HookObserver<Name extends HookEventName> = (payload: HookPayloads[Name]) => void;

type Registration =
	| { readonly handler: HookHandler<HookEventName>; readonly timeoutMs: number }
	| { readonly observer: HookObserver<HookEventName> };

/** Calls handlers in the order they were added and merges what they say. */
export class HookManager {
	readonly #registrations = new Map<HookEventName, Registration[]>();
	readonly #onHandlerError: (thrown: unknown, event: HookEventName) => void;
	readonly #clock: Clock;
	readonly #handlerTimeoutMs: number;

	constructor(onHandlerError: (thrown: unknown, event: HookEventName) => void, options: HookManagerOptions = {}) {
		this.#onHandlerError = onHandlerError;
		this.#clock = options.clock ?? systemClock;
		this.#handlerTimeoutMs = options.handlerTimeoutMs ?? 60_000;
	}

	on<Name extends HookEventName>(event: Name, handler: HookHandler<Name>, options: HookOptions = {}): void {
		const timeoutMs = options.timeoutMs ?? this.#handlerTimeoutMs;
		this.#register(event, { handler: handler as HookHandler<HookEventName>, timeoutMs });
	}

	/** Adds one that only looks on, in its place among the handlers. */
	observe<Name extends HookEventName>(event: Name, observer: HookObserver<Name>): void {
		this.#register(event, { observer: observer as HookObserver<HookEventName> });
	}

	#register(event: HookEventName, registration: Registration): void {
		const registrations = this.#registrations.get(event) ?? [];
		registrations.push(registration);
		this.#registrations.set(event, registrations);
	}

	/**
	 * Fires one event.
	 *
	 * **Ordering**: handlers run one after another; `block` and `stop` end the round. What one puts in the place of
	 * the input or result is what the next one sees. Contexts are joined with a blank line; of two permission
	 * decisions the stricter counts.
	 * **Cancellation**: when `signal` aborts, no further handler runs and the outcome is `stop`.
	 */
	async fire<Name extends HookEventName>(
		event: Name,
		payload: HookPayloads[Name],
		signal?: AbortSignal,
	): Promise<HookOutcome> {
		const registrations = this.#registrations.get(event);
		if (!registrations) return CONTINUE;
		let merged = NOTHING_SAID;
		let current: HookPayloads[HookEventName] = payload;
		for (const registration of [...registrations]) {
			if ("observer" in registration) {
				this.#show(event, registration.observer, current);
				continue;
			}
			const outcome = await this.#run(event, registration, current, signal);
			if (signal?.aborted) return { kind: "stop", reason: "interrupted while a hook ran" };
			if (outcome.kind === "block" || outcome.kind === "stop") return outcome;
			const next = outcome.kind === "replace" ? withReplaced(event, current, outcome.value) : undefined;
			if (outcome.kind === "replace" && next === undefined) {
				this.#report(new TypeError(`A ${event} hook cannot replace anything with ${typeof outcome.value}`), event);
			}
			current = next ?? current;
			merged = addOutcome(merged, outcome, next !== undefined);
		}
		return toOutcome(merged);
	}

	#show(event: HookEventName, observer: HookObserver<HookEventName>, payload: HookPayloads[HookEventName]): void {
		try {
			observer(payload);
		} catch (thrown) {
			this.#report(thrown, event);
		}
	}

	async #run(
		event: HookEventName,
		{ handler, timeoutMs }: Extract<Registration, { readonly handler: unknown }>,
		payload: HookPayloads[HookEventName],
		signal: AbortSignal | undefined,
	): Promise<HookOutcome> {
		const ending = new AbortController();
		if (signal?.aborted) ending.abort(signal.reason);
		const forget = signal && onAbort(signal, () => ending.abort(signal.reason));
		const timer = Number.isFinite(timeoutMs)
			? this.#clock.after(timeoutMs, () => ending.abort(new Error(`A ${event} hook took longer than ${timeoutMs} ms`)))
			: undefined;
		try {
			const outcome: unknown = await untilAborted(() => handler(payload, ending.signal), ending.signal);
			// A handler in plain JavaScript that returns nothing has no objection.
			if (outcome === undefined) return CONTINUE;
			if (isHookOutcome(outcome)) return outcome;
			throw new TypeError(`A ${event} hook answered something that is no outcome`);
		} catch (thrown) {
			if (!signal?.aborted) this.#report(thrown, event);
			return CONTINUE;
		} finally {
			timer?.cancel();
			forget?.();
		}
	}

	#report(thrown: unknown, event: HookEventName): void {
		try {
			this.#onHandlerError(thrown, event);
		} catch {
			// The guard itself is user code; nothing of it may reach the agent.
		}
	}
}

// The handler's answer, or the signal's reason if that comes first; a late answer is dropped.
function untilAborted<T>(run: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		if (signal.aborted) return reject(signal.reason);
		signal.addEventListener("abort", () => reject(signal.reason), { once: true });
		Promise.resolve().then(run).then(resolve, reject);
	});
}
