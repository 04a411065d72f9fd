// One entry of an agent's todo list.

export const TODO_STATUSES = ["pending", "in_progress", "completed"] as const;
export type TodoStatus = (typeof TODO_STATUSES)[number];

export interface TodoItem {
	readonly content: string;
	readonly status: TodoStatus;
	/** What is being done, shown while the item is in progress: "Adding logging". */
	readonly activeForm?: string;
}

/** Reads a status in any case; undefined for a word that is none. */
export function readTodoStatus(text: string): TodoStatus | undefined {
	const wanted = text.toLowerCase();
	return TODO_STATUSES.find((status) => status === wanted);
}
