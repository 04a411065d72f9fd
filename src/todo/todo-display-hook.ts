// Shows the person the todo list whenever the agent has rewritten it. The result itself stays as it is.

import type { HookManager } from "../hooks/hook-manager.ts";
import { TODO_WRITE_NAME } from "./todo-write.ts";

export class TodoDisplayHook {
	readonly #output: (text: string) => void;

	/** @param output receives the overview, without a line end. */
	constructor(output: (text: string) => void) {
		this.#output = output;
	}

	registerTo(hooks: HookManager): void {
		hooks.observe("PostToolUse", ({ toolName, result }) => {
			if (toolName === TODO_WRITE_NAME && !result.isError) this.#output(result.content);
		});
	}
}
