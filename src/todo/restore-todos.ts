// The todo list of an agent whose conversation is gone on with: what the last todo_write that worked had written.

import type { Message, ToolUseBlock } from "../wire/conversation.ts";
import { parseTodos } from "./parse-todos.ts";
import type { TodoItem } from "./todo-item.ts";
import { TODO_WRITE_NAME } from "./todo-write.ts";

/** Reads the history from its end; one JSON text per message. Undefined when no list was ever written. */
export function restoreTodos(history: readonly string[]): readonly TodoItem[] | undefined {
	const failed = new Set<string>();
	const answered = new Set<string>();
	for (let index = history.length - 1; index >= 0; index--) {
		const json = history[index] ?? "";
		// Most messages have nothing to do with it, and need no parsing.
		if (!json.includes(TODO_WRITE_NAME) && !json.includes('"tool_result"')) continue;
		const message = parse(json);
		if (!message) continue;
		for (const block of message.content) {
			if (block.type === "tool_result") (block.is_error ? failed : answered).add(block.tool_use_id);
		}
		const written = message.content
			.filter((block): block is ToolUseBlock => block.type === "tool_use" && block.name === TODO_WRITE_NAME)
			.filter(({ id }) => answered.has(id) && !failed.has(id))
			.map(({ input }) => parseTodos(input));
		const last = written.findLast((parsed) => parsed.ok);
		if (last?.ok) return last.items;
	}
	return undefined;
}

function parse(json: string): Message | undefined {
	try {
		const message = JSON.parse(json) as Message;
		return Array.isArray(message.content) ? message : undefined;
	} catch {
		return undefined;
	}
}
