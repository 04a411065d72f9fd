// What main itself knows of the tools: whether a call of one can change anything. A tool module runs in the agent's own
// thread, so what it or the thread says of it counts for nothing here; only the program that named the module is heard.

import type { Tool } from "../../tools/definition.ts";
import type { ToolModule } from "../options/split-tools.ts";

export interface ToolFacts {
	/** @param given the tools that main gave the agent; any other name is a module's. */
	readOnlyOf(given: readonly string[], toolName: string): boolean | "unknown";
	/** Tools of modules that change nothing, as the program says. */
	readonly declared: readonly string[];
}

export interface ToolFactsParts {
	/** Names of tools of main's own registry that change nothing. */
	readonly readOnly: Iterable<string>;
	readonly tools: readonly (Tool | ToolModule)[];
}

export function createToolFacts({ readOnly, tools }: ToolFactsParts): ToolFacts {
	const known = new Set(readOnly);
	const declared = new Set(tools.flatMap((tool) => ("module" in tool ? (tool.readOnly ?? []) : [])));
	return {
		readOnlyOf: (given, toolName) => {
			if (given.includes(toolName)) return known.has(toolName);
			return declared.has(toolName) ? true : "unknown";
		},
		declared: [...declared],
	};
}
