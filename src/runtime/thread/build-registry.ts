// One agent's tool registry: built-in tools by name, its own todo list, the subagent tools, the host's tools by
// call-back, and modules loaded here, inside the thread.

import type { HookManager } from "../../hooks/hook-manager.ts";
import { queryTaskTool } from "../../subagents/query-task-tool.ts";
import { taskTool } from "../../subagents/task-tool.ts";
import { restoreTodos } from "../../todo/restore-todos.ts";
import { TodoDisplayHook } from "../../todo/todo-display-hook.ts";
import { TodoReminder } from "../../todo/todo-reminder.ts";
import { TodoStore } from "../../todo/todo-store.ts";
import { createTodoWriteTool, TODO_WRITE_NAME } from "../../todo/todo-write.ts";
import { BUILTIN_TOOLS, isBuiltinToolName } from "../../tools/builtin/index.ts";
import type { Tool } from "../../tools/definition.ts";
import { createHostTool } from "../../tools/host-tool.ts";
import { ToolRegistry } from "../../tools/registry.ts";
import { loadToolModule } from "../../tools/tool-module.ts";
import { toolSpecOf } from "../../tools/tool-spec.ts";
import type { AgentInit } from "../../wire/control.ts";
import type { ToolSpec } from "../../wire/conversation.ts";
import { closeDoors } from "./close-doors.ts";
import { loadRoomTool } from "./room-tools.ts";

export interface TodoParts {
	registerTo(hooks: HookManager, output: (text: string) => void): void;
	reminders(): string[];
}

export interface BuiltRegistry {
	readonly registry: ToolRegistry;
	readonly todo: TodoParts | undefined;
	/** The specs from main, followed by those of the modules. */
	readonly toolsJson: string;
}

/** Tools of the program that this thread has: they hold nothing of an agent's, and a dynamic import costs each time. */
const loaded = new Map<string, Tool>([
	[taskTool.name, taskTool as Tool<never> as Tool],
	[queryTaskTool.name, queryTaskTool as Tool<never> as Tool],
]);

export async function buildRegistry(init: AgentInit): Promise<BuiltRegistry> {
	const registry = new ToolRegistry();
	let todo: TodoParts | undefined;
	const hostTools = new Map(init.hostTools.map((tool) => [tool.name, tool]));
	for (const name of init.toolNames) {
		const host = hostTools.get(name);
		if (name === TODO_WRITE_NAME) todo = addTodo(registry, init);
		else if (host) registry.register(createHostTool(host));
		else registry.register(loaded.get(name) ?? (await loadTool(name)));
	}
	if (init.toolModules.length === 0) return { registry, todo, toolsJson: init.toolsJson };
	const specs = JSON.parse(init.toolsJson) as ToolSpec[];
	await closeDoors();
	for (const module of init.toolModules) {
		for (const tool of await loadToolModule(module)) {
			registry.register(tool);
			specs.push(await toolSpecOf(tool));
		}
	}
	return { registry, todo, toolsJson: JSON.stringify(specs) };
}

async function loadTool(name: string): Promise<Tool> {
	const tool = isBuiltinToolName(name) ? await BUILTIN_TOOLS[name]() : ((await loadRoomTool(name)) as Tool);
	loaded.set(name, tool);
	return tool;
}

function addTodo(registry: ToolRegistry, init: AgentInit): TodoParts {
	const store = new TodoStore();
	// A conversation that is gone on with goes on with its list.
	store.replaceAll(restoreTodos(init.history) ?? []);
	const reminder = new TodoReminder(store);
	registry.register(createTodoWriteTool(store));
	return {
		registerTo: (hooks, output) => {
			reminder.registerTo(hooks);
			// Only the lead's list is shown; a subagent's stays out of the lead's chat.
			if (init.kind === "lead") new TodoDisplayHook(output).registerTo(hooks);
		},
		reminders: () => {
			reminder.noteTurn();
			return reminder.take();
		},
	};
}
