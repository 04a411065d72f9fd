// Reads the input of todo_write. Models write almost anything here, so every fault is named with its place.

import { readTodoStatus, TODO_STATUSES, type TodoItem } from "./todo-item.ts";

export const MAX_TODOS = 20;

export type ParsedTodos =
	| { readonly ok: true; readonly items: readonly TodoItem[] }
	| { readonly ok: false; readonly problem: string };

/** The items in `{ todos: […] }`, or the first thing that is wrong with it. */
export function parseTodos(input: unknown): ParsedTodos {
	const todos = isObject(input) ? input.todos : undefined;
	if (!Array.isArray(todos)) return { ok: false, problem: "todos is required and must be an array" };
	if (todos.length > MAX_TODOS) {
		return { ok: false, problem: `todos has ${todos.length} items; at most ${MAX_TODOS} are allowed` };
	}
	const items: TodoItem[] = [];
	for (const [index, todo] of todos.entries()) {
		const item = parseItem(todo, `todos[${index}]`);
		if (typeof item === "string") return { ok: false, problem: item };
		items.push(item);
	}
	const active = items.flatMap((item, index) => (item.status === "in_progress" ? [`todos[${index}]`] : []));
	if (active.length > 1) {
		return { ok: false, problem: `only one todo may be in_progress, but ${active.join(" and ")} are` };
	}
	return { ok: true, items };
}

/** The item, or what is wrong with it. */
function parseItem(todo: unknown, place: string): TodoItem | string {
	if (!isObject(todo)) return `${place} must be an object`;
	const { content, status, activeForm } = todo;
	if (typeof content !== "string" || content.trim() === "") return `${place}.content is required and must be a string`;
	if (typeof status !== "string") return `${place}.status is required and must be a string`;
	const known = readTodoStatus(status);
	if (!known) return `${place}.status '${status}' is invalid; must be one of: ${TODO_STATUSES.join(", ")}`;
	if (activeForm === undefined || activeForm === null) return { content, status: known };
	if (typeof activeForm !== "string") return `${place}.activeForm must be a string`;
	return { content, status: known, activeForm };
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
