// Reads one rule text. A rule that cannot be read is an error that names the rule, its file and the reason;
// parseRules collects those and loads the rest.

import { ClowderError } from "../../errors.ts";
import { toOwnToolName } from "../../lib/tool-aliases.ts";
import { parsePathPattern } from "../paths/path-pattern.ts";
import { parseCommandPattern } from "./command-pattern.ts";
import { whyDead } from "./dead-rule.ts";
import { parseStars } from "./holed-text.ts";
import type { Rule, RuleKind, RuleSource, RuleSpec, ToolSelector } from "./rule.ts";
import { FILE_READERS, FILE_WRITERS } from "./tool-names.ts";

const MAX_RULE_LENGTH = 4_000;
const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,127}$/;
const MCP_NAME = /^mcp__[A-Za-z0-9_.*-]{1,200}$/;

/** The lists of one settings file, as `permissions` holds them. */
export interface RuleLists {
	readonly allow?: readonly string[];
	readonly ask?: readonly string[];
	readonly deny?: readonly string[];
}

/** Reads whole lists; rules that cannot be read become errors and the others load. */
export function parseRules(
	lists: RuleLists,
	source: RuleSource,
): { readonly rules: Rule[]; readonly errors: ClowderError[] } {
	const rules: Rule[] = [];
	const errors: ClowderError[] = [];
	for (const kind of ["deny", "ask", "allow"] as const) {
		for (const text of lists[kind] ?? []) {
			const read = readRule(text, kind, source);
			if (read instanceof ClowderError) errors.push(read);
			else rules.push(read);
		}
	}
	return { rules, errors };
}

/** Reads one rule. @throws ClowderError ERR_PERMISSION_RULE */
export function parseRule(text: string, kind: RuleKind, source: RuleSource): Rule {
	const read = readRule(text, kind, source);
	if (read instanceof ClowderError) throw read;
	return read;
}

function readRule(text: string, kind: RuleKind, source: RuleSource): Rule | ClowderError {
	try {
		if (typeof text !== "string") throw new RuleFault("it is not a text");
		if (text.length > MAX_RULE_LENGTH) throw new RuleFault(`it is longer than ${MAX_RULE_LENGTH} characters`);
		const { name, specText } = splitRule(text.trim());
		const own = toOwnToolName(name);
		const dead = kind === "allow" || specText === undefined ? undefined : whyDead(own, specText);
		if (dead !== undefined) throw new RuleFault(dead);
		const spec = specText === undefined ? undefined : parseSpec(own, name, specText);
		return {
			kind,
			text: text.trim(),
			source,
			tools: selectTools(own, kind, spec),
			spec: spec ?? { type: "any" },
		};
	} catch (thrown) {
		if (!(thrown instanceof RuleFault)) throw thrown;
		const shown = String(text).slice(0, 200);
		return new ClowderError(
			"ERR_PERMISSION_RULE",
			`${kind} rule '${shown}' in ${source.label} cannot be used: ${thrown.message}`,
			{
				remedy: "Correct it or take it out",
				details: { rule: shown, kind, file: source.label, reason: thrown.message, ...widerOf(thrown) },
			},
		);
	}
}

class RuleFault extends Error {
	/** The rule about every call of the same tool, where only the parentheses are at fault. */
	wider?: string;
}

function widerOf({ wider }: RuleFault): { readonly wider?: string } {
	return wider === undefined ? {} : { wider };
}

function splitRule(text: string): { name: string; specText: string | undefined } {
	const open = text.indexOf("(");
	const name = (open < 0 ? text : text.slice(0, open)).trim();
	if (name === "") throw new RuleFault("it names no tool");
	if (!TOOL_NAME.test(name) && !MCP_NAME.test(name)) throw new RuleFault(`'${name}' is not a tool name`);
	if (open < 0) return { name, specText: undefined };
	if (!text.endsWith(")")) throw new RuleFault("the closing parenthesis is missing");
	const specText = text.slice(open + 1, -1).trim();
	if (specText === "") throw new RuleFault(`there is nothing between the parentheses; write ${name} for every call`);
	return { name, specText };
}

function parseSpec(own: string, written: string, specText: string): RuleSpec | undefined {
	if (specText === "*" && own !== "read_file" && !FILE_WRITERS.includes(own)) return undefined;
	if (own === "bash") return commandSpec(specText.replace(/\\([()])/g, "$1"));
	if (FILE_READERS.includes(own)) return pathSpec("read", specText);
	if (FILE_WRITERS.includes(own)) return pathSpec("edit", specText);
	if (own === "web_fetch") return domainSpec(specText);
	if (own === "task" || own === "skill") return { type: "name", name: parseStars(specText) };
	const fault = new RuleFault(`${written} takes nothing in parentheses`);
	fault.wider = written;
	throw fault;
}

function commandSpec(specText: string): RuleSpec {
	const alternatives = parseCommandPattern(specText);
	if (alternatives === undefined) throw new RuleFault("there is no command before :*");
	return { type: "command", alternatives };
}

function pathSpec(access: "read" | "edit", specText: string): RuleSpec {
	const pattern = parsePathPattern(specText);
	if (typeof pattern === "string") throw new RuleFault(pattern);
	return { type: "path", access, pattern };
}

function domainSpec(specText: string): RuleSpec {
	const host = specText.startsWith("domain:") ? specText.slice("domain:".length).trim() : "";
	if (!/^[^\s/:@]+$/.test(host)) throw new RuleFault("write WebFetch(domain:example.com)");
	return { type: "domain", host: parseStars(host.toLowerCase().replace(/\.$/, "")) };
}

function selectTools(own: string, kind: RuleKind, spec: RuleSpec | undefined): ToolSelector {
	if (own.startsWith("mcp__")) return selectMcpTools(own);
	// Order: a rule with a path is about the file, whichever tool writes it; a bare Write is about that tool alone.
	if (own === "edit_file" || (own === "write_file" && spec !== undefined))
		return { type: "names", names: FILE_WRITERS };
	if (own === "read_file") return { type: "names", names: FILE_READERS };
	// A teammate of a barred agent type would be a way round; allowing `task` allows no teammate.
	if (own === "task" && spec !== undefined && kind !== "allow")
		return { type: "names", names: [own, "spawn_teammate"] };
	return { type: "names", names: [own] };
}

function selectMcpTools(name: string): ToolSelector {
	const server = /^mcp__[^*]+?$/.test(name) && !name.slice("mcp__".length).includes("__");
	const pattern = server ? `${name}__*` : name;
	return { type: "pattern", pattern: parseStars(pattern) };
}
