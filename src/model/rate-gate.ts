// One gate per provider, account and model, shared by all agents. A rate limit that one call meets closes the
// gate for all; when the time is up the waiting calls go through one by one, so that they do not storm.

import type { ClowderError } from "../errors.ts";
import type { Clock, TimerHandle } from "../lib/clock.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import { cancelledError } from "./cancelled.ts";
import { MAX_RETRY_AFTER_MS } from "./retry-policy.ts";

export interface GateState {
	readonly key: string;
	/** 0 when it is open. */
	readonly opensInMs: number;
	readonly waiting: number;
}

export interface RateGate {
	/**
	 * Resolves when a call with this key may start, or at once when the gate is closed for longer than
	 * `MAX_RETRY_AFTER_MS`: the caller looks at `closedFor` and gives up.
	 *
	 * **Ordering**: first in, first out. **Cancellation**: rejects with ERR_ABORTED and gives up its place.
	 */
	pass(key: string, signal: AbortSignal): Promise<void>;
	/** Lets no call with this key start for `delayMs`, because of `reason`. */
	close(key: string, delayMs: number, reason: ClowderError): void;
	/** Time until the key opens, and why it is closed; undefined when it is open. */
	closedFor(key: string): { readonly delayMs: number; readonly reason: ClowderError } | undefined;
	states(): GateState[];
}

interface Gate {
	opensAtMs: number;
	/** Earliest start of the next waiting call. */
	nextStartMs: number;
	reason: ClowderError | undefined;
	readonly waiting: Set<Deferred<void>>;
	/** Held-back calls that went through since the gate closed last. */
	passed: number;
	timer: TimerHandle | undefined;
}

// Space between two calls that were held back: half of it at least, and less the longer all goes well.
const SPACING_MS = 100;
const SPACING_HALVES_EVERY = 16;

export function createRateGate(clock: Clock, random: () => number): RateGate {
	const gates = new Map<string, Gate>();

	function spacing(gate: Gate): number {
		return (SPACING_MS * (0.5 + random() / 2)) / 2 ** (gate.passed / SPACING_HALVES_EVERY);
	}

	function letNextPass(gate: Gate): void {
		gate.timer = undefined;
		const [next] = gate.waiting;
		// Race: the gate may have closed anew since the timer was set.
		if (next && startsInMs(gate) === 0) {
			gate.waiting.delete(next);
			gate.passed += 1;
			gate.nextStartMs = clock.monotonicMs() + spacing(gate);
			next.resolve();
		}
		schedule(gate);
	}

	function startsInMs(gate: Gate): number {
		return Math.max(0, Math.max(gate.opensAtMs, gate.nextStartMs) - clock.monotonicMs());
	}

	function schedule(gate: Gate): void {
		if (gate.timer || gate.waiting.size === 0) return;
		gate.timer = clock.after(startsInMs(gate), () => letNextPass(gate));
	}

	return {
		async pass(key, signal) {
			if (signal.aborted) throw cancelledError();
			const gate = gates.get(key);
			if (!gate || startsInMs(gate) > MAX_RETRY_AFTER_MS + SPACING_MS) return;
			if (gate.waiting.size === 0 && startsInMs(gate) === 0) {
				gates.delete(key);
				return;
			}
			const turn = createDeferred();
			gate.waiting.add(turn);
			schedule(gate);
			const onAbort = () => {
				gate.waiting.delete(turn);
				turn.reject(cancelledError());
			};
			signal.addEventListener("abort", onAbort, { once: true });
			await turn.promise.finally(() => signal.removeEventListener("abort", onAbort));
		},
		close(key, delayMs, reason) {
			const gate = gates.get(key) ?? newGate();
			gates.set(key, gate);
			const opensAtMs = clock.monotonicMs() + delayMs;
			if (opensAtMs < gate.opensAtMs) return;
			gate.opensAtMs = opensAtMs;
			gate.nextStartMs = Math.max(gate.nextStartMs, opensAtMs + random() * SPACING_MS);
			gate.reason = reason;
			gate.passed = 0;
			if (delayMs > MAX_RETRY_AFTER_MS) {
				for (const turn of gate.waiting) turn.resolve();
				gate.waiting.clear();
			}
		},
		closedFor(key) {
			const gate = gates.get(key);
			const delayMs = (gate?.opensAtMs ?? 0) - clock.monotonicMs();
			return gate?.reason && delayMs > 0 ? { delayMs, reason: gate.reason } : undefined;
		},
		states: () =>
			[...gates].map(([key, gate]) => ({
				key,
				opensInMs: Math.max(0, gate.opensAtMs - clock.monotonicMs()),
				waiting: gate.waiting.size,
			})),
	};
}

function newGate(): Gate {
	return { opensAtMs: 0, nextStartMs: 0, reason: undefined, waiting: new Set(), passed: 0, timer: undefined };
}
