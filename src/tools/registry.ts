// One agent's tools. Every agent builds its own; nothing is shared between agents.

import { ClowderError } from "../errors.ts";
import type { Tool } from "./definition.ts";

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Whether a tool may have this name. */
export function isToolName(name: unknown): name is string {
	return typeof name === "string" && NAME.test(name);
}

/** The tools one agent can call, by name. */
export class ToolRegistry {
	readonly #tools = new Map<string, Tool>();

	/** @throws ClowderError ERR_BAD_INPUT for a name that is taken or not `^[a-zA-Z0-9_-]{1,64}$`. */
	register(tool: Tool): void {
		if (!isToolName(tool.name)) {
			throw new ClowderError("ERR_BAD_INPUT", `Tool name '${tool.name}' is not valid`, {
				remedy: "Use 1 to 64 letters, digits, _ or -",
			});
		}
		if (this.#tools.has(tool.name)) {
			throw new ClowderError("ERR_BAD_INPUT", `Tool '${tool.name}' is registered twice`, {
				remedy: "Give one of them another name",
			});
		}
		this.#tools.set(tool.name, tool);
	}

	get(name: string): Tool | undefined {
		return this.#tools.get(name);
	}

	/** In the order of registration. */
	names(): string[] {
		return [...this.#tools.keys()];
	}
}
