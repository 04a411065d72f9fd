// Waiting that an abort can end: nothing outside the loop can hold it up for longer than the grace time.

import type { Clock, TimerHandle } from "../lib/clock.ts";
import { onAbort } from "../lib/on-abort.ts";

export type Patience<T> = { readonly kind: "settled"; readonly value: T } | { readonly kind: "abandoned" };

export interface AbortPatience {
	readonly signal: AbortSignal;
	readonly clock: Clock;
	/** How long work may still finish after the abort. @default 0 */
	readonly graceMs?: number;
}

/** Settles as `work` does, or with `abandoned` once the signal has aborted and the grace time is over. */
export function untilAborted<T>(work: Promise<T>, { signal, clock, graceMs = 0 }: AbortPatience): Promise<Patience<T>> {
	return new Promise((resolve, reject) => {
		let timer: TimerHandle | undefined;
		const abandon = () => resolve({ kind: "abandoned" });
		const losePatience = () => {
			if (graceMs <= 0) abandon();
			else timer = clock.after(graceMs, abandon, { keepAlive: true });
		};
		let forget = () => {};
		const tidy = () => {
			timer?.cancel();
			forget();
		};
		work.then(
			(value) => {
				tidy();
				resolve({ kind: "settled", value });
			},
			(thrown) => {
				tidy();
				reject(thrown);
			},
		);
		if (signal.aborted) losePatience();
		else forget = onAbort(signal, losePatience);
	});
}
