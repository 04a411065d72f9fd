// Turns the fields of one agent file, or one entry of `--agents`, into an AgentDefinition. Refuses what would make
// a different agent than its author wrote; anything smaller is a fault and the agent loads without it.

import { isRecord } from "../lib/is-record.ts";
import { PERMISSION_MODES, type PermissionMode } from "../permissions/modes.ts";
import type { AgentDefinition, AgentSource } from "./agent-definition.ts";
import type { ConfigFault } from "./fault.ts";
import type { FrontMatterField } from "./front-matter-lenient.ts";
import { readHooksSection } from "./hooks-section.ts";
import { splitNames } from "./name-list.ts";

/** The fields that mean something; any other is kept in `extra`. */
export const AGENT_FIELDS: ReadonlySet<string> = new Set([
	"name",
	"description",
	"tools",
	"disallowedTools",
	"model",
	"permissionMode",
	"maxTurns",
	"skills",
	"mcpServers",
	"hooks",
	"background",
	"effort",
	"isolation",
	"color",
	"initialPrompt",
	"memory",
]);

export interface AgentReading {
	/** Absent when the file was refused; the faults say why. */
	readonly agent?: AgentDefinition;
	readonly faults: readonly ConfigFault[];
}

const MAX_NAME_CHARS = 128;

/** Reads one agent. `path` stands in the faults; `fields` carry their own lines. */
export function readAgentFields(
	fields: ReadonlyMap<string, FrontMatterField>,
	prompt: string,
	path: string,
	source: AgentSource,
): AgentReading {
	const faults: ConfigFault[] = [];
	const report = (name: string, reason: string) => {
		const line = fields.get(name)?.line;
		faults.push({ path, ...(line === undefined || line === 0 ? {} : { line }), reason });
		return undefined;
	};
	const name = readName(fields.get("name"), report);
	const description = readDescription(fields.get("description"), report);
	const tools = readTools("tools", fields, report);
	const disallowedTools = readTools("disallowedTools", fields, report);
	const hooks = readHooks(fields.get("hooks"), path, report, faults);
	if (name === undefined || description === undefined || tools === REFUSED || disallowedTools === REFUSED) {
		return { faults };
	}
	if (hooks === REFUSED) return { faults };
	const agent: AgentDefinition = {
		name,
		description,
		prompt,
		...(tools === undefined || tools.includes("*") ? {} : { tools }),
		...(disallowedTools === undefined || disallowedTools.length === 0 ? {} : { disallowedTools }),
		...(hooks === undefined ? {} : { hooks }),
		...readSmallFields(fields, report),
		source,
	};
	return { agent, faults };
}

const REFUSED = Symbol("refused");
type Report = (field: string, reason: string) => undefined;
type Fields = ReadonlyMap<string, FrontMatterField>;

function readName(field: FrontMatterField | undefined, report: Report): string | undefined {
	const name = textOf(field);
	if (name === undefined || name === "") return report("name", "refused: it has no name");
	if (name.startsWith("-")) return report("name", `refused: the name '${name}' starts with -`);
	if (name.includes(":")) return report("name", `refused: the name '${name}' holds a colon`);
	if (field?.doubt !== undefined) return report("name", `refused: bad YAML in name: ${field.doubt}`);
	if (/\p{Cc}/u.test(name)) return report("name", "refused: the name holds a line break or control character");
	if (name.length > MAX_NAME_CHARS)
		return report("name", `refused: the name has more than ${MAX_NAME_CHARS} characters`);
	return name;
}

function readDescription(field: FrontMatterField | undefined, report: Report): string | undefined {
	const description = textOf(field);
	if (description === undefined && field !== undefined && field.value !== null) {
		return report("description", "refused: the description must be text; put it in quotes");
	}
	if (description === undefined || description === "") return report("description", "refused: it has no description");
	// Generated files write line breaks as the two characters \n.
	return description.replaceAll("\\n", "\n");
}

function readTools(name: "tools" | "disallowedTools", fields: Fields, report: Report) {
	const field = fields.get(name);
	if (field === undefined || field.value === null) return undefined;
	const names = splitNames(field.value);
	if (names !== undefined) return typeof field.value === "string" && names.length === 0 ? undefined : names;
	report(name, `refused: ${name} must be a list of tool names or names with commas between them`);
	return REFUSED;
}

// A guard that silently does not run is worse than an agent that does not load.
function readHooks(field: FrontMatterField | undefined, path: string, report: Report, faults: ConfigFault[]) {
	if (field === undefined || field.value === null) return undefined;
	if (field.doubt !== undefined || !isRecord(field.value)) {
		report("hooks", `refused: its hooks cannot be read: ${field.doubt ?? "they must be an object"}`);
		return REFUSED;
	}
	const reading = readHooksSection(field.value, { path, ...(field.line === 0 ? {} : { line: field.line }) });
	faults.push(...reading.faults);
	return reading.hooks;
}

function readSmallFields(fields: Fields, report: Report): Partial<AgentDefinition> {
	const text = (name: string) => {
		const field = fields.get(name);
		if (field === undefined || field.value === null) return undefined;
		const value = textOf(field);
		return value === undefined ? report(name, `${name} must be text; it is ignored`) : value;
	};
	const oneOf = <T extends string>(name: string, allowed: readonly T[]) => {
		const value = text(name);
		if (value === undefined || (allowed as readonly string[]).includes(value)) return value as T | undefined;
		return report(name, `${name} '${value}' is not one of ${allowed.join(", ")}; it is ignored`);
	};
	const turns = readTurns(fields.get("maxTurns"), report);
	const extra = [...fields].filter(([name]) => !AGENT_FIELDS.has(name)).map(([name, field]) => [name, field.value]);
	return withoutAbsent({
		model: text("model"),
		permissionMode: oneOf<PermissionMode>("permissionMode", PERMISSION_MODES),
		limits: turns === undefined ? undefined : { turns },
		skills: readNames("skills", fields, report),
		mcpServers: readServers(fields.get("mcpServers"), report),
		background: readFlag("background", fields, report),
		effort: text("effort"),
		isolation: oneOf("isolation", ["worktree"]),
		color: text("color"),
		initialPrompt: text("initialPrompt"),
		memory: oneOf("memory", ["user", "project", "local"]),
		extra: extra.length === 0 ? undefined : Object.fromEntries(extra),
	});
}

function readTurns(field: FrontMatterField | undefined, report: Report): number | undefined {
	if (field === undefined || field.value === null) return undefined;
	const turns = Number(field.value);
	if (Number.isSafeInteger(turns) && turns > 0) return turns;
	return report("maxTurns", "maxTurns must be a whole number above 0; it is ignored");
}

function readNames(name: string, fields: Fields, report: Report): readonly string[] | undefined {
	const field = fields.get(name);
	if (field === undefined || field.value === null) return undefined;
	return splitNames(field.value) ?? report(name, `${name} must be a list of names; it is ignored`);
}

function readServers(field: FrontMatterField | undefined, report: Report): AgentDefinition["mcpServers"] {
	const value = field?.value;
	if (value === undefined || value === null) return undefined;
	if (isRecord(value)) return Object.entries(value).map(([name, server]) => ({ [name]: server }));
	if (Array.isArray(value) && value.every((item) => typeof item === "string" || isRecord(item))) return value;
	if (typeof value === "string" && field?.doubt === undefined) return splitNames(value);
	return report("mcpServers", "mcpServers must be a list of names or servers; it is ignored");
}

function readFlag(name: string, fields: Fields, report: Report): boolean | undefined {
	const value = fields.get(name)?.value;
	if (value === undefined || value === null) return undefined;
	if (value === true || value === "true" || value === "yes") return true;
	if (value === false || value === "false" || value === "no") return false;
	return report(name, `${name} must be true or false; it is ignored`);
}

function textOf(field: FrontMatterField | undefined): string | undefined {
	const value = field?.value;
	if (typeof value === "string") return value.trim();
	return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(value: T): Present<T> {
	return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Present<T>;
}
