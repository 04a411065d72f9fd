// Permission rules in Claude Code's syntax, as settings files, flags and answers bring them.
// Reading a rule touches no file; how a rule meets a call is in match-call.ts.

import type { PathPattern } from "../paths/path-pattern.ts";
import type { HoledText } from "./holed-text.ts";

export type RuleKind = "allow" | "ask" | "deny";

export interface RuleSource {
	/**
	 * `project`: a file that came with the folder, whose allow rules need the person's trust. `user`: the home
	 * folder. `flag`: the command line or `--settings`. `answer`: a person said so in this process.
	 */
	readonly scope: "project" | "user" | "flag" | "answer";
	/** The settings file, or the flag; stands in every message about the rule. */
	readonly label: string;
	/** The folder that patterns like `/src` start at: the settings file's project. */
	readonly root: string;
}

/** Which tools a rule is about. */
export type ToolSelector =
	| { readonly type: "names"; readonly names: readonly string[] }
	/** Tools of MCP servers, by pattern. */
	| { readonly type: "pattern"; readonly pattern: HoledText };

/** What a call must look like beyond its tool. */
export type RuleSpec =
	| { readonly type: "any" }
	/** Fits when one of the alternatives does. */
	| { readonly type: "command"; readonly alternatives: readonly HoledText[] }
	| { readonly type: "path"; readonly access: "read" | "edit"; readonly pattern: PathPattern }
	| { readonly type: "domain"; readonly host: HoledText }
	/** An agent type or a skill. */
	| { readonly type: "name"; readonly name: HoledText };

export interface Rule {
	readonly kind: RuleKind;
	/** As written. */
	readonly text: string;
	readonly source: RuleSource;
	readonly tools: ToolSelector;
	readonly spec: RuleSpec;
}

/** `Bash(rm *) in .claude/settings.json` */
export function describeRule(rule: Rule): string {
	return `${rule.text} in ${rule.source.label}`;
}

/**
 * Takes out the allow rules that a project brings along. For a folder that the person has not trusted yet:
 * its deny and ask rules count all the same.
 */
export function withoutUntrustedAllows(rules: readonly Rule[]): Rule[] {
	return rules.filter((rule) => rule.kind !== "allow" || rule.source.scope !== "project");
}
