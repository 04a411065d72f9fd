// Calls on the wire at once, for all agents together; first in, first out.

import { createDeferred, type Deferred } from "../lib/deferred.ts";
import { cancelledError } from "./cancelled.ts";

export interface ConnectionSlots {
	readonly used: number;
	readonly waiting: number;
	/**
	 * Resolves with the function that gives the slot back; calling that again does nothing.
	 *
	 * **Cancellation**: rejects with ERR_ABORTED and gives up its place.
	 */
	take(signal: AbortSignal): Promise<() => void>;
}

export function createConnectionSlots(limit: number): ConnectionSlots {
	const waiting = new Set<Deferred<void>>();
	let used = 0;

	// Invariant: used + what is handed over never exceeds the limit; a slot goes straight to the next in line.
	function giveBack(): void {
		const [next] = waiting;
		if (!next) {
			used -= 1;
			return;
		}
		waiting.delete(next);
		next.resolve();
	}

	function releaser(): () => void {
		let isHeld = true;
		return () => {
			if (!isHeld) return;
			isHeld = false;
			giveBack();
		};
	}

	return {
		get used() {
			return used;
		},
		get waiting() {
			return waiting.size;
		},
		async take(signal) {
			if (signal.aborted) throw cancelledError();
			if (used < limit) {
				used += 1;
				return releaser();
			}
			const turn = createDeferred();
			waiting.add(turn);
			const onAbort = () => {
				// Race: a slot that was already handed over is given back by the caller's own release.
				if (waiting.delete(turn)) turn.reject(cancelledError());
			};
			signal.addEventListener("abort", onAbort, { once: true });
			await turn.promise.finally(() => signal.removeEventListener("abort", onAbort));
			return releaser();
		},
	};
}
