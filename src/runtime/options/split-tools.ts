// Tells tools that run on main from modules that are loaded in each agent's thread.

import { ClowderError } from "../../errors.ts";
import type { Tool } from "../../tools/definition.ts";
import { checkModule } from "./given-paths.ts";

/** A tool whose code is loaded inside each agent's own thread. Such a thread is used for one run alone. */
export interface ToolModule {
	/** Absolute path or file URL; its default export is a tool made with `defineTool`, or an array of them. */
	readonly module: string | URL;
	/**
	 * Names of its tools that change nothing anywhere: they need no permission, and read-only agents may use them. Your
	 * word counts, not the module's own, which runs in the agent's thread. @default none of them
	 */
	readonly readOnly?: readonly string[];
}

export interface SplitTools {
	readonly mainTools: readonly Tool[];
	/** File URLs. */
	readonly modules: readonly string[];
}

/** @throws ERR_BAD_OPTION, ERR_FILE for a module that is not there */
export async function splitTools(tools: readonly (Tool | ToolModule)[]): Promise<SplitTools> {
	const mainTools: Tool[] = [];
	const modules: string[] = [];
	for (const tool of tools) {
		if ("module" in tool) modules.push(await checkModule("tool module", tool.module));
		else mainTools.push(tool);
	}
	refuseTwins(mainTools);
	return { mainTools, modules };
}

function refuseTwins(tools: readonly Tool[]): void {
	const names = tools.map(({ name }) => name);
	const twin = names.find((name, index) => names.indexOf(name) !== index);
	if (twin === undefined) return;
	throw new ClowderError("ERR_BAD_OPTION", `Two of the tools are called '${twin}'`, {
		remedy: "Give one of them another name",
	});
}
