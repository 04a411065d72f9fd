// The todo list as the model and the person read it.

import type { TodoItem, TodoStatus } from "./todo-item.ts";

const BOXES: Readonly<Record<TodoStatus, string>> = { completed: "[x]", in_progress: "[~]", pending: "[ ]" };

/** The overview that `todo_write` answers with: a line of counts, then a line per item. */
export function formatTodoList(items: readonly TodoItem[]): string {
	const count = (status: TodoStatus) => items.filter((item) => item.status === status).length;
	const counts =
		`${count("completed")}/${items.length} completed, ` +
		`${count("in_progress")} in progress, ${count("pending")} pending`;
	return [`Todo list updated (${counts}):`, ...formatTodoItems(items)].join("\n");
}

/** A line per item, numbered from 1. */
export function formatTodoItems(items: readonly TodoItem[]): string[] {
	return items.map((item, index) => `  ${index + 1}. ${BOXES[item.status]} ${textOf(item)}`);
}

function textOf({ content, status, activeForm }: TodoItem): string {
	const doing = status === "in_progress" && activeForm && activeForm !== content ? ` (${activeForm})` : "";
	return (content + doing).replaceAll(/\s*\n\s*/g, " ");
}
