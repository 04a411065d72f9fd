/** First in, first out, with a hard bound; `push` answers false instead of growing past it. */
export class BoundedQueue<T> {
	readonly limit: number;
	#items: T[] = [];
	#head = 0;

	constructor(limit: number) {
		this.limit = limit;
	}

	get size(): number {
		return this.#items.length - this.#head;
	}

	push(item: T): boolean {
		if (this.size >= this.limit) return false;
		this.#items.push(item);
		return true;
	}

	peek(): T | undefined {
		return this.#items[this.#head];
	}

	shift(): T | undefined {
		if (this.size === 0) return undefined;
		const item = this.#items[this.#head];
		this.#items[this.#head] = undefined as never;
		this.#head += 1;
		this.#compact();
		return item;
	}

	/** Takes one item out wherever it stands; false if it is not there. */
	remove(item: T): boolean {
		const index = this.#items.indexOf(item, this.#head);
		if (index < 0) return false;
		this.#items.splice(index, 1);
		return true;
	}

	toArray(): T[] {
		return this.#items.slice(this.#head);
	}

	// Invariant: at most half of the backing array is dead space.
	#compact(): void {
		if (this.#head < 64 || this.#head * 2 < this.#items.length) return;
		this.#items = this.#items.slice(this.#head);
		this.#head = 0;
	}
}
