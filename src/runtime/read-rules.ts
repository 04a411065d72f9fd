// The rules a supervisor starts with: those of the program's options, then those of the settings files. An allow rule
// that cannot be read is told and left out; one that forbids or asks is never lost in silence.

import { ClowderError } from "../errors.ts";
import { parseRule, parseRules } from "../permissions/rules/parse-rule.ts";
import type { Rule } from "../permissions/rules/rule.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Project } from "./project.ts";

/** @throws ERR_PERMISSION_RULE for one of the options; ERR_BAD_OPTION, ERR_FILE for a deny or ask rule of `--settings`, of another file */
export function readRules(
	options: Pick<ResolvedOptions, "permissions" | "cwd" | "onWarning">,
	project: Pick<Project, "rules">,
): readonly Rule[] {
	const { allow = [], ask = [], deny = [] } = options.permissions;
	const { rules, errors } = parseRules(
		{ allow, ask, deny },
		{ scope: "flag", label: "the option `permissions`", root: options.cwd },
	);
	const first = errors[0];
	if (first) throw first;
	const fromFiles = project.rules.flatMap(({ source, lists }) => {
		const read = parseRules(lists, source);
		return [...read.rules, ...read.errors.flatMap((error) => widened(error, source, options.onWarning))];
	});
	return [...rules, ...fromFiles];
}

/** The rule that stands in for one that cannot be read, if any. @throws ERR_BAD_OPTION, ERR_FILE */
function widened(error: ClowderError, source: Rule["source"], onWarning: (text: string) => void): Rule[] {
	const { kind, rule, reason, wider } = error.details as {
		kind: Rule["kind"];
		rule: string;
		reason: string;
		wider?: string;
	};
	if (kind === "allow") {
		onWarning(`${error.message}; it is ignored, the other rules are in force`);
		return [];
	}
	const what = `${kind} rule '${rule}' in ${source.label}`;
	if (wider !== undefined) {
		onWarning(`${what}: ${reason}, so it holds for every call of ${wider}`);
		return [parseRule(wider, kind, source)];
	}
	throw new ClowderError(
		source.scope === "flag" ? "ERR_BAD_OPTION" : "ERR_FILE",
		`The ${what} cannot be read: ${reason}`,
		{
			remedy: "Correct it or take it out; nothing runs while something that was forbidden might be allowed",
			cause: error,
			details: { ...error.details },
		},
	);
}
