// Tells tools that run on main from modules that are loaded in each agent's thread.

import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { ClowderError } from "../errors.ts";
import type { Tool } from "../tools/definition.ts";
import type { ToolModule } from "./options.ts";

export function splitTools(tools: readonly (Tool | ToolModule)[]): {
	readonly mainTools: readonly Tool[];
	/** File URLs. */
	readonly modules: readonly string[];
} {
	const mainTools: Tool[] = [];
	const modules: string[] = [];
	for (const tool of tools) {
		if ("module" in tool) modules.push(moduleUrl(tool.module));
		else mainTools.push(tool);
	}
	return { mainTools, modules };
}

function moduleUrl(module: string | URL): string {
	if (typeof module !== "string") return module.href;
	if (module.startsWith("file:")) return module;
	if (isAbsolute(module)) return pathToFileURL(module).href;
	throw new ClowderError("ERR_BAD_OPTION", `The tool module '${module}' is not an absolute path`, {
		remedy: "Use an absolute path or a file URL, e.g. new URL('./tool.js', import.meta.url)",
	});
}
