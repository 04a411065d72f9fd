// One agent's todo list, in its own thread. The list is replaced as a whole, never changed: whoever holds one
// holds a list that was complete at some moment.

import type { TodoItem, TodoStatus } from "./todo-item.ts";

export class TodoStore {
	#items: readonly TodoItem[] = Object.freeze([]);

	/** Puts these items in the place of all. */
	replaceAll(items: readonly TodoItem[]): void {
		this.#items = Object.freeze(items.map((item) => Object.freeze({ ...item })));
	}

	/** The list as it is now: frozen, and untouched by later changes. */
	getAll(): readonly TodoItem[] {
		return this.#items;
	}

	clear(): void {
		this.replaceAll([]);
	}

	inProgressCount(): number {
		return this.#count("in_progress");
	}

	completedCount(): number {
		return this.#count("completed");
	}

	size(): number {
		return this.#items.length;
	}

	#count(status: TodoStatus): number {
		return this.#items.filter((item) => item.status === status).length;
	}
}
