// Reminds a model that works on without looking at its todo list. One reminder, then the count starts again.

import type { HookManager } from "../hooks/hook-manager.ts";
import { formatTodoItems } from "./format-todo-list.ts";
import type { TodoStore } from "./todo-store.ts";
import { TODO_WRITE_NAME } from "./todo-write.ts";

const TURNS_BEFORE_REMINDER = 3;

export class TodoReminder {
	readonly #store: TodoStore;
	#turns = 0;

	constructor(store: TodoStore) {
		this.#store = store;
	}

	/** Has a successful todo_write noted by itself. */
	registerTo(hooks: HookManager): void {
		hooks.observe("PostToolUse", ({ toolName, result }) => {
			if (toolName === TODO_WRITE_NAME && !result.isError) this.noteTodoWrite();
		});
	}

	/** The model has answered once more. */
	noteTurn(): void {
		if (this.#hasOpenItems()) this.#turns += 1;
		else this.#turns = 0;
	}

	noteTodoWrite(): void {
		this.#turns = 0;
	}

	/** The text blocks that are due now: one, or none. */
	take(): string[] {
		if (this.#turns < TURNS_BEFORE_REMINDER || !this.#hasOpenItems()) return [];
		this.#turns = 0;
		const lines = [
			`Reminder: the todo list has open items and was not updated for ${TURNS_BEFORE_REMINDER} turns.`,
			"If it no longer says what is done and what is next, update it with todo_write. The list now:",
			...formatTodoItems(this.#store.getAll()),
		];
		return [lines.join("\n")];
	}

	#hasOpenItems(): boolean {
		return this.#store.completedCount() < this.#store.size();
	}
}
