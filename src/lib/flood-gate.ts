// Tells a busy sender from one that floods its receiver.

import { type Clock, soon } from "./clock.ts";

export interface FloodGate {
	/** Counts what has come; false when it is more than an honest sender sends. */
	admit(amount?: number): boolean;
}

export interface FloodLimits {
	readonly perSecond: number;
	/** Between two rounds of the receiver's event loop. A port hands out all that waits in it before others get a turn. */
	readonly perRound: number;
}

const PERIOD_MS = 1_000;

export function createFloodGate(clock: Clock, { perSecond, perRound }: FloodLimits): FloodGate {
	let since = clock.monotonicMs();
	let inSecond = 0;
	let inRound = 0;
	return {
		admit: (amount = 1) => {
			const now = clock.monotonicMs();
			if (now - since >= PERIOD_MS) {
				since = now;
				inSecond = 0;
			}
			if (inRound === 0) {
				soon(() => {
					inRound = 0;
				});
			}
			inSecond += amount;
			inRound += 1;
			return inSecond <= perSecond && inRound <= perRound;
		},
	};
}
