// Who gets the next slot: first a parent that lent its slot to a child it waited for, then PENDING runs,
// first in first out. Giving a slot back happens in one place, once per run.

import { BoundedQueue } from "../lib/bounded-queue.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import type { LiveRun } from "./live-run.ts";
import type { Slots } from "./slots.ts";

interface Reclaim {
	readonly run: LiveRun;
	readonly granted: Deferred<void>;
}

export class SlotQueue {
	readonly #slots: Slots;
	readonly #pending: BoundedQueue<LiveRun>;
	readonly #reclaims: Reclaim[] = [];
	readonly #start: (run: LiveRun) => void;

	constructor(options: { readonly slots: Slots; readonly maxQueued: number; start(run: LiveRun): void }) {
		this.#slots = options.slots;
		this.#pending = new BoundedQueue(Math.max(1, options.maxQueued));
		this.#start = options.start;
	}

	get queued(): number {
		return this.#pending.size;
	}

	/** Whether one more run could start at once. */
	get hasFreeSlot(): boolean {
		return this.#reclaims.length === 0 && this.#pending.size === 0 && this.#slots.taken < this.#slots.limit;
	}

	/** False when the queue is full. */
	enqueue(run: LiveRun): boolean {
		return this.#pending.push(run);
	}

	/** Forgets a run that ended before it had a slot, or while it waited for its slot. */
	remove(run: LiveRun): void {
		this.#pending.remove(run);
		const index = this.#reclaims.findIndex((reclaim) => reclaim.run === run);
		if (index >= 0) this.#reclaims.splice(index, 1)[0]?.granted.resolve();
	}

	/** Starts whatever the free slots allow. `mayStart` may hold back PENDING runs (no thread left). */
	pump(mayStart: () => boolean): void {
		while (this.#reclaims.length > 0 && this.#slots.tryTake()) {
			const reclaim = this.#reclaims.shift() as Reclaim;
			reclaim.run.holdsSlot = true;
			reclaim.granted.resolve();
		}
		while (this.#pending.size > 0 && mayStart() && this.#slots.tryTake()) {
			const run = this.#pending.shift() as LiveRun;
			run.holdsSlot = true;
			this.#start(run);
		}
	}

	/** The one place a slot is given back; does nothing for a run that holds none. */
	giveBack(run: LiveRun): void {
		if (!run.holdsSlot) return;
		run.holdsSlot = false;
		this.#slots.give();
	}

	/** Asks for the lent slot again; resolves when the run has it, or has ended. */
	reclaim(run: LiveRun): Promise<void> {
		const granted = createDeferred();
		this.#reclaims.push({ run, granted });
		return granted.promise;
	}
}
