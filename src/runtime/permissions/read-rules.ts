// The rules a supervisor starts with: those of the program's options, then those of the settings files. An allow rule
// that cannot be read is told and left out. Where one that forbids or asks may be lost, every call is asked about until
// its file is corrected: the rest of the files still counts, and nothing runs that somebody may have forbidden.

import { ClowderError } from "../../errors.ts";
import { parseRule, parseRules } from "../../permissions/rules/parse-rule.ts";
import type { Rule } from "../../permissions/rules/rule.ts";
import type { ResolvedOptions } from "../options/options.ts";
import type { Project } from "../project.ts";

/** What a rule may be about: the shell, files, the network, other agents. */
const ASKED_ABOUT = ["Bash", "Read", "Edit", "Write", "WebFetch", "Task", "mcp__*"];

/** @throws ERR_PERMISSION_RULE for one of the options; ERR_BAD_OPTION for a deny or ask rule of `--settings` */
export function readRules(
	options: Pick<ResolvedOptions, "permissions" | "cwd" | "onWarning">,
	project: Pick<Project, "rules" | "doubtful">,
): readonly Rule[] {
	const { allow = [], ask = [], deny = [] } = options.permissions;
	const { rules, errors } = parseRules(
		{ allow, ask, deny },
		{ scope: "flag", label: "the option `permissions`", root: options.cwd },
	);
	const first = errors[0];
	if (first) throw first;
	const doubtful = new Set(project.doubtful);
	const fromFiles = project.rules.flatMap(({ source, lists }) => {
		const read = parseRules(lists, source);
		const standIns = read.errors.flatMap((error) => {
			const standIn = standInFor(error, source, options.onWarning);
			if (standIn === "unknown") doubtful.add(source.label);
			return standIn === "unknown" ? [] : standIn;
		});
		return [...read.rules, ...standIns];
	});
	const precautions = [...doubtful].flatMap((file) => {
		options.onWarning(`Every call is asked about until ${file} is corrected: what it forbids is not known`);
		const label = `${file}, of which not all can be read`;
		return ASKED_ABOUT.map((tool) => parseRule(tool, "ask", { scope: "project", label, root: options.cwd }));
	});
	return [...rules, ...fromFiles, ...precautions];
}

/** The rules that stand in for one that cannot be read. @throws ERR_BAD_OPTION */
function standInFor(
	error: ClowderError,
	source: Rule["source"],
	onWarning: (text: string) => void,
): readonly Rule[] | "unknown" {
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
	if (source.scope === "flag") {
		throw new ClowderError("ERR_BAD_OPTION", `The ${what} cannot be read: ${reason}`, {
			remedy: "Correct it or take it out",
			cause: error,
			details: { ...error.details },
		});
	}
	onWarning(`${what} cannot be read: ${reason}`);
	return "unknown";
}
