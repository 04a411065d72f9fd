// Mail that nobody will take, kept for people to look at: bounded in number and in size.

import { BoundedQueue } from "../lib/bounded-queue.ts";
import type { Envelope } from "../wire/envelope.ts";
import { textBytes } from "./mailbox.ts";

export interface DeadLetter {
	readonly envelope: Envelope;
	/** Why nobody will take it. */
	readonly reason: string;
	/** Milliseconds since the Unix epoch. */
	readonly at: number;
}

/** The latest dead letters; the oldest make room for new ones. */
export class DeadLetters {
	readonly #letters: BoundedQueue<DeadLetter>;
	readonly #maxBytes: number;
	#bytes = 0;

	constructor(limits: { readonly count: number; readonly bytes: number }) {
		this.#letters = new BoundedQueue(Math.max(1, limits.count));
		this.#maxBytes = limits.bytes;
	}

	add(letter: DeadLetter): void {
		const bytes = textBytes(letter.envelope);
		while (this.#letters.size === this.#letters.limit || this.#bytes + bytes > this.#maxBytes) {
			const oldest = this.#letters.shift();
			if (!oldest) break;
			this.#bytes -= textBytes(oldest.envelope);
		}
		this.#letters.push(letter);
		this.#bytes += bytes;
	}

	/** Oldest first. */
	list(): DeadLetter[] {
		return this.#letters.toArray();
	}
}
