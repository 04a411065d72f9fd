// The todo_write tool: plan first, then show the progress. One per agent, on that agent's own list.

import type { Tool } from "../tools/definition.ts";
import type { JsonSchemaInput, ObjectJsonSchema } from "../tools/json-schema-input.ts";
import type { ToolSpec } from "../wire/conversation.ts";
import { formatTodoList } from "./format-todo-list.ts";
import { MAX_TODOS, parseTodos } from "./parse-todos.ts";
import { TODO_STATUSES } from "./todo-item.ts";
import type { TodoStore } from "./todo-store.ts";

export const TODO_WRITE_NAME = "todo_write";

const DESCRIPTION =
	"Writes your todo list. Use it to plan work of three steps or more before you start, and again whenever a step " +
	"begins or ends. The list you give replaces the whole list. Keep exactly one item in_progress while you work, and " +
	"mark an item completed as soon as it is done.";

const JSON_SCHEMA: ObjectJsonSchema = {
	type: "object",
	properties: {
		todos: {
			type: "array",
			description: `The whole list, at most ${MAX_TODOS} items`,
			items: {
				type: "object",
				properties: {
					content: { type: "string", description: "What is to be done" },
					status: { type: "string", enum: TODO_STATUSES },
					activeForm: { type: "string", description: "What is being done, shown while it is in progress" },
				},
				required: ["content", "status"],
			},
		},
	},
	required: ["todos"],
};

/** What the model is told about todo_write; the same for every agent. */
export const TODO_WRITE_SPEC: ToolSpec = {
	name: TODO_WRITE_NAME,
	description: DESCRIPTION,
	input_schema: JSON_SCHEMA,
};

const inputSchema: JsonSchemaInput = {
	jsonSchema: JSON_SCHEMA,
	safeParse(value) {
		const parsed = parseTodos(value);
		if (parsed.ok) return { success: true, data: value as Record<string, unknown> };
		return { success: false, error: { issues: [{ path: ["todos"], message: parsed.problem }] } };
	},
};

/** Builds the tool on one agent's list. Input that is not valid leaves the list untouched. */
export function createTodoWriteTool(store: TodoStore): Tool {
	return {
		name: TODO_WRITE_NAME,
		description: DESCRIPTION,
		inputSchema,
		readOnly: false,
		summarize: (input) => {
			const parsed = parseTodos(input);
			return parsed.ok ? `${parsed.items.length} items` : "todo list";
		},
		execute(input) {
			const parsed = parseTodos(input);
			if (!parsed.ok) return { content: `Error: ${parsed.problem}`, isError: true };
			store.replaceAll(parsed.items);
			return formatTodoList(store.getAll());
		},
	};
}
