// Loads a module of tools inside the agent's thread.

import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { ClowderError, messageOf } from "../errors.ts";
import type { Tool } from "./definition.ts";
import { isToolName } from "./registry.ts";

/**
 * The tools a module exports as its default: one, or an array, made with `defineTool`.
 *
 * @param pathOrUrl an absolute path or a `file:` URL.
 * @throws ClowderError ERR_TOOL_MODULE that names the module and the reason.
 */
export async function loadToolModule(pathOrUrl: string): Promise<Tool[]> {
	const fail = (reason: string, cause?: unknown) =>
		new ClowderError("ERR_TOOL_MODULE", `Tool module ${pathOrUrl} cannot be used: ${reason}`, {
			remedy: "Its default export must be a tool, or an array of tools, made with defineTool",
			details: { module: pathOrUrl },
			cause,
		});
	let exported: unknown;
	try {
		const module: { readonly default?: unknown } = await import(toUrl(pathOrUrl));
		exported = module.default;
	} catch (thrown) {
		throw fail(messageOf(thrown), thrown);
	}
	if (exported === undefined) throw fail("it has no default export");
	const tools: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
	if (tools.length === 0) throw fail("its default export is an empty array");
	return tools.map((tool, index) => {
		const problem = problemOf(tool);
		if (problem) throw fail(Array.isArray(exported) ? `tool ${index} ${problem}` : `its default export ${problem}`);
		return tool as Tool;
	});
}

function toUrl(pathOrUrl: string): string {
	if (isAbsolute(pathOrUrl)) return pathToFileURL(pathOrUrl).href;
	if (pathOrUrl.startsWith("file:")) return pathOrUrl;
	throw new Error("it is neither an absolute path nor a file: URL");
}

// By shape and not by class: the module may come with its own copy of this package.
function problemOf(value: unknown): string | undefined {
	if (typeof value !== "object" || value === null) return "is not a tool";
	const tool = value as Partial<Record<keyof Tool, unknown>>;
	if (typeof tool.name !== "string" || !isToolName(tool.name)) return "has no valid name";
	if (typeof tool.description !== "string") return `(${tool.name}) has no description`;
	if (typeof tool.execute !== "function") return `(${tool.name}) has no execute function`;
	if (typeof tool.readOnly !== "boolean") return `(${tool.name}) does not say whether it is readOnly`;
	const schema = tool.inputSchema as { readonly safeParse?: unknown } | null | undefined;
	return typeof schema?.safeParse === "function" ? undefined : `(${tool.name}) has no inputSchema`;
}
