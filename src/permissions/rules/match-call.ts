// How rules meet calls of every tool but bash: by path, host, agent type or skill.

import { fitsPlace } from "../paths/match-path.ts";
import { type PathContext, type Place, placeOf } from "../paths/place.ts";
import { matchesText } from "./holed-text.ts";
import type { Rule } from "./rule.ts";
import { coversTool } from "./selector.ts";
import { FILE_READERS, FILE_WRITERS } from "./tool-names.ts";

/** What a call is about, as rules see it. */
export interface CallTarget {
	/** Our own name of the tool. */
	readonly toolName: string;
	readonly places: readonly Place[];
	readonly host: string | undefined;
	/** The agent type or skill it names. */
	readonly subject: string | undefined;
}

export function targetOf(toolName: string, input: unknown, context: PathContext): CallTarget {
	const fields = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
	return {
		toolName,
		places: placesOf(toolName, fields, context),
		host: toolName === "web_fetch" ? hostOf(textField(fields, "url")) : undefined,
		subject: subjectOf(toolName, fields),
	};
}

/** Whether the rule fits the call. */
export function fitsCall(rule: Rule, target: CallTarget, context: PathContext): boolean {
	if (!isAbout(rule, target.toolName)) return false;
	const { spec } = rule;
	switch (spec.type) {
		case "any":
			return true;
		case "path": {
			const { places } = target;
			if (rule.kind === "allow") return places.length > 0 && places.every((place) => fitsPlace(rule, place, context));
			return places.some((place) => fitsPlace(rule, place, context));
		}
		case "domain":
			return target.host !== undefined && matchesText(spec.host, target.host);
		case "name": {
			const lower = spec.name.map((piece) => piece.toLowerCase()) as [string, ...string[]];
			return target.subject !== undefined && matchesText(lower, target.subject.toLowerCase());
		}
		case "command":
			return false;
	}
}

// What may not be read may not be changed either.
function isAbout(rule: Rule, toolName: string): boolean {
	if (coversTool(rule, toolName)) return true;
	return rule.kind === "deny" && FILE_WRITERS.includes(toolName) && coversTool(rule, "read_file");
}

function placesOf(toolName: string, fields: Record<string, unknown>, context: PathContext): Place[] {
	const isSearch = toolName === "grep" || toolName === "glob";
	if (!FILE_READERS.includes(toolName) && !FILE_WRITERS.includes(toolName)) return [];
	const path = textField(fields, "path") ?? textField(fields, "file_path") ?? (isSearch ? "." : undefined);
	if (path === undefined) return [];
	const places = [placeOf(path, context.cwd, context.files)];
	const filter = isSearch ? textField(fields, toolName === "glob" ? "pattern" : "glob") : undefined;
	// Its wildcards stand for names like any other: `secrets/*.pem` is in `secrets`.
	if (filter !== undefined) places.push(placeOf(filter, places[0]?.forms[0] ?? context.cwd, context.files));
	return places;
}

function hostOf(url: string | undefined): string | undefined {
	if (url === undefined || !URL.canParse(url)) return undefined;
	return new URL(url).hostname.toLowerCase().replace(/\.$/, "");
}

function subjectOf(toolName: string, fields: Record<string, unknown>): string | undefined {
	if (toolName === "skill") return textField(fields, "name");
	if (toolName !== "task" && toolName !== "spawn_teammate") return undefined;
	return textField(fields, "agent_type") ?? textField(fields, "subagent_type") ?? "general";
}

function textField(fields: Record<string, unknown>, name: string): string | undefined {
	const value = fields[name];
	return typeof value === "string" && value !== "" ? value : undefined;
}
