// Turns the `tools` and `disallowedTools` of an agent type into the tools one launch gets and the limits on them.
// Pure; knows no file.

import { toOwnToolName } from "../lib/tool-aliases.ts";
import { matchesText, parseStars } from "../permissions/rules/holed-text.ts";
import type { AgentDefinition } from "./agent-definition.ts";

export interface ResolvedTools {
	readonly kind: "resolved";
	/** Our names, in the order of `available`. */
	readonly names: readonly string[];
	/** `Bash(git *)`: a tool that one of these is about may be called only as one of them says. */
	readonly restrictions: readonly string[];
	/** Rules that forbid single calls of a tool it has: `Bash(rm *)` in `disallowedTools`. */
	readonly deny: readonly string[];
	/** The agent types it may start; absent = all. */
	readonly agentTypes?: readonly string[];
	/** Names that stand for no tool of this launch. */
	readonly unknown: readonly string[];
}

/** Nothing that was asked for exists: the agent would be another than its author meant. */
export interface RefusedTools {
	readonly kind: "refused";
	readonly unknown: readonly string[];
	readonly message: string;
}

export interface ResolveToolsOptions {
	/** Tools it has whatever its file says (a teammate's team tools); must be among `available`. */
	readonly always?: readonly string[];
}

/** What comes along with a tool: a command in the background is no use to an agent that cannot look at or end it. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = { bash: ["job_output", "job_stop"] };

/** The tools, with those that whoever has one of them has as well. */
export function withCompanions(names: readonly string[]): readonly string[] {
	return names.flatMap((name) => [name, ...(COMPANIONS[name] ?? [])]);
}

/**
 * Resolves one agent type against the tools that exist for this launch, MCP tools included.
 *
 * @param available our names; `mcp__server__tool` for MCP tools.
 */
export function resolveTools(
	definition: Pick<AgentDefinition, "name" | "tools" | "disallowedTools">,
	available: readonly string[],
	options: ResolveToolsOptions = {},
): ResolvedTools | RefusedTools {
	const wanted = (definition.tools ?? available).map((text) => readEntry(text, available));
	const unwanted = (definition.disallowedTools ?? []).map((text) => readEntry(text, available));
	const unknown = [...wanted, ...unwanted].filter((entry) => entry.names.length === 0).map((entry) => entry.text);
	const asked = definition.tools ?? [];
	if (asked.length > 0 && wanted.every((entry) => entry.names.length === 0)) {
		return { kind: "refused", unknown, message: refusal(definition.name, unknown, available) };
	}
	const named = wanted.flatMap((entry) => entry.names);
	const chosen = new Set(withCompanions(named));
	for (const entry of unwanted) {
		if (entry.spec === undefined) for (const name of entry.names) chosen.delete(name);
	}
	for (const name of options.always ?? []) chosen.add(name);
	const agentTypes = startableTypes(wanted);
	return {
		kind: "resolved",
		names: available.filter((name) => chosen.has(name)),
		restrictions: restrictions(wanted.filter((entry) => !isTypeList(entry))),
		deny: unwanted.filter((entry) => entry.spec !== undefined && entry.names.length > 0).map((entry) => entry.text),
		...(agentTypes === undefined ? {} : { agentTypes }),
		unknown,
	};
}

interface Entry {
	readonly text: string;
	/** Tools it stands for; none = unknown. */
	readonly names: readonly string[];
	/** What stands in the parentheses; absent = the whole tool. */
	readonly spec?: string;
}

const ENTRY = /^([^\s()]+)\s*(?:\((.*)\))?$/s;

function readEntry(text: string, available: readonly string[]): Entry {
	const match = ENTRY.exec(text.trim());
	const written = match?.[1];
	if (written === undefined) return { text, names: [] };
	const names = written.startsWith("mcp__") ? mcpTools(written, available) : toolsNamed(written, available);
	const spec = match?.[2]?.trim();
	return spec === undefined || spec === "" || spec === "*" ? { text, names } : { text, names, spec };
}

function toolsNamed(written: string, available: readonly string[]): string[] {
	if (written === "*") return [...available];
	const own = toOwnToolName(written);
	return available.filter((name) => name === own || name === written);
}

// `mcp__server` is all of a server; `*` stands for anything.
function mcpTools(written: string, available: readonly string[]): string[] {
	const pattern = written.slice("mcp__".length).includes("__") || written.endsWith("*") ? written : `${written}__*`;
	const pieces = parseStars(pattern);
	return available.filter((name) => name.startsWith("mcp__") && matchesText(pieces, name));
}

// `Bash(git *)` beside a plain `Bash` limits nothing.
function restrictions(wanted: readonly Entry[]): string[] {
	const whole = new Set(wanted.filter((entry) => entry.spec === undefined).flatMap((entry) => entry.names));
	const limited = wanted.filter((entry) => entry.spec !== undefined && entry.names.some((name) => !whole.has(name)));
	return limited.map((entry) => entry.text);
}

// In `Agent(a, b)` the parentheses hold agent types, not a pattern for calls.
function isTypeList(entry: Entry): boolean {
	return entry.names.includes("task") && entry.spec !== undefined;
}

function startableTypes(wanted: readonly Entry[]): readonly string[] | undefined {
	const ofTask = wanted.filter((entry) => entry.names.includes("task"));
	if (ofTask.length === 0 || ofTask.some((entry) => entry.spec === undefined)) return undefined;
	const types = ofTask.flatMap((entry) => (entry.spec ?? "").split(",").map((type) => type.trim()));
	return [...new Set(types.filter((type) => type !== ""))];
}

function refusal(agent: string, unknown: readonly string[], available: readonly string[]): string {
	const bad = unknown.map((name) => `'${name}'`).join(", ");
	return `Agent '${agent}' cannot start: none of its tools exists (${bad}). Known tools: ${available.join(", ")}`;
}
