// Who gets the next slot: first a parent that lent its slot while it waited for children, then PENDING runs,
// first in first out. Giving a slot back happens in one place, once per run.

import { BoundedQueue } from "../lib/bounded-queue.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import type { LiveRun } from "./live-run.ts";
import type { Slots } from "./slots.ts";

/** A parent without its slot, because it does nothing but wait for children. */
interface Loan {
	readonly parent: LiveRun;
	/** Children it waits for that have not ended. */
	readonly children: Set<LiveRun>;
	readonly slotIsBack: Deferred<void>;
}

export class SlotQueue {
	readonly #slots: Slots;
	readonly #pending: BoundedQueue<LiveRun>;
	/** By parent, in the order in which they lent. */
	readonly #loans = new Map<LiveRun, Loan>();
	readonly #start: (run: LiveRun) => void;

	constructor(options: { readonly slots: Slots; readonly maxQueued: number; start(run: LiveRun): void }) {
		this.#slots = options.slots;
		this.#pending = new BoundedQueue(Math.max(1, options.maxQueued));
		this.#start = options.start;
	}

	get queued(): number {
		return this.#pending.size;
	}

	/** Whether one more run would start at once. */
	get hasFreeSlot(): boolean {
		return this.#pending.size === 0 && this.#slots.taken < this.#slots.limit;
	}

	/** False when the queue is full. */
	enqueue(run: LiveRun): boolean {
		return this.#pending.push(run);
	}

	/** Gives free slots out. `mayStart` may hold back PENDING runs (no thread left). */
	pump(mayStart: () => boolean): void {
		for (const loan of this.#loans.values()) {
			// Invariant: a parent takes its slot only when none of its children needs one.
			if (loan.children.size > 0) continue;
			if (!this.#slots.tryTake()) return;
			loan.parent.holdsSlot = true;
			this.#close(loan);
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

	/** Gives a parent's slot away while it waits for a child. */
	lend(parent: LiveRun, child: LiveRun): void {
		const loan = this.#loans.get(parent);
		if (loan) {
			loan.children.add(child);
		} else if (parent.holdsSlot) {
			this.#loans.set(parent, { parent, children: new Set([child]), slotIsBack: createDeferred() });
			this.giveBack(parent);
		}
	}

	/** Settles when a parent has its slot again, ended, or waits for other children still. */
	async slotIsBack(parent: LiveRun): Promise<void> {
		const loan = this.#loans.get(parent);
		if (loan && loan.children.size === 0) await loan.slotIsBack.promise;
	}

	/**
	 * Forgets a run that has ended: its place in the queue, its slot, its loans.
	 *
	 * Order: a parent that waited for it stands in line before the slot is free, so no PENDING run gets between.
	 */
	release(run: LiveRun): void {
		this.#pending.remove(run);
		if (run.parent) this.#loans.get(run.parent)?.children.delete(run);
		const own = this.#loans.get(run);
		if (own) this.#close(own);
		this.giveBack(run);
	}

	#close(loan: Loan): void {
		this.#loans.delete(loan.parent);
		loan.slotIsBack.resolve();
	}
}
