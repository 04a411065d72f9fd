// The concurrency limit: one counter in the status board's header, moved by compare-and-swap.
// Only the supervisor on main takes and gives slots; every thread may read how many are taken.

import { HEADER } from "./status-board.ts";

export class Slots {
	readonly #words: Int32Array;

	constructor(buffer: SharedArrayBuffer, limit?: number) {
		this.#words = new Int32Array(buffer);
		if (limit !== undefined) Atomics.store(this.#words, HEADER.limit, limit);
	}

	get limit(): number {
		return Atomics.load(this.#words, HEADER.limit);
	}

	get taken(): number {
		return Atomics.load(this.#words, HEADER.running);
	}

	/** Takes one slot; false when `limit` are taken. */
	tryTake(): boolean {
		for (;;) {
			const taken = this.taken;
			if (taken >= this.limit) return false;
			if (Atomics.compareExchange(this.#words, HEADER.running, taken, taken + 1) === taken) return true;
		}
	}

	/** Gives one slot back. A give without a take is a bug and throws. */
	give(): void {
		if (Atomics.sub(this.#words, HEADER.running, 1) <= 0) {
			Atomics.add(this.#words, HEADER.running, 1);
			throw new Error("A slot was given back that nobody had taken");
		}
	}
}
