// How deny and ask rules meet a bash call: by its commands (Bash rules) and by the files it reads and writes
// (Read and Edit rules).

import type { BashFacts } from "../bash-facts.ts";
import { fitsPlace, mayFitPath } from "../paths/match-path.ts";
import type { PathContext } from "../paths/place.ts";
import type { TouchedFile } from "../shell/touched-files.ts";
import { concatHoled } from "./holed-text.ts";
import { isMentioned, meetsCommand, showCommand } from "./match-command.ts";
import { describeRule, type Rule } from "./rule.ts";
import { coversTool } from "./selector.ts";

export interface BashMatch {
	/** `maybe`: only for some values of what is not known before the command runs. */
	readonly certainty: "yes" | "maybe";
	readonly rule: Rule;
	/** The part of the command that met the rule. */
	readonly part: string;
}

/** The first rule of one kind (deny or ask) that meets the call; a sure one before one that only may. */
export function meetBash(rules: readonly Rule[], facts: BashFacts, context: PathContext): BashMatch | undefined {
	let unsure: BashMatch | undefined;
	for (const rule of rules) {
		const match = coversTool(rule, "bash") ? meetCommands(rule, facts) : meetFiles(rule, facts, context);
		if (match?.certainty === "yes") return match;
		unsure ??= match;
	}
	return unsure;
}

function meetCommands(rule: Rule, facts: BashFacts): BashMatch | undefined {
	const { analysis } = facts;
	const { spec } = rule;
	if (spec.type === "any") return { certainty: "yes", rule, part: analysis.source };
	if (spec.type !== "command") return undefined;
	if (analysis.problem !== undefined && isMentioned(spec.alternatives, analysis.source)) {
		return { certainty: "yes", rule, part: analysis.source };
	}
	let unsure: BashMatch | undefined;
	const moves = analysis.folders.unknown || analysis.folders.known.length > 1;
	for (const command of analysis.commands) {
		const meets = meetsCommand(spec.alternatives, command, moves);
		if (meets === "no") continue;
		const match: BashMatch = { certainty: meets, rule, part: showCommand(command) };
		if (meets === "yes") return match;
		unsure ??= match;
	}
	return unsure;
}

function meetFiles(rule: Rule, facts: BashFacts, context: PathContext): BashMatch | undefined {
	let unsure: BashMatch | undefined;
	for (const file of facts.touched) {
		if (!concerns(rule, file)) continue;
		const part = file.shown;
		if (file.places.some((place) => fitsPlace(rule, place, context))) return { certainty: "yes", rule, part };
		if (file.unknown || (file.recursive && holdsSuch(rule, file, context)))
			unsure ??= { certainty: "maybe", rule, part };
	}
	return unsure;
}

// A Read rule also stops edits: what may not be seen may not be changed.
function concerns(rule: Rule, file: TouchedFile): boolean {
	if (coversTool(rule, "edit_file")) return file.access === "edit";
	return coversTool(rule, "read_file") && (file.access === "read" || rule.kind === "deny");
}

function holdsSuch(rule: Rule, file: TouchedFile, context: PathContext): boolean {
	const forms = new Set(file.places.flatMap((place) => place.forms));
	return [...forms].some((form) => {
		if (context.files.kindOf(form) !== "folder") return false;
		return mayFitPath(rule, concatHoled([[form === "/" ? "" : form], ["/", ""]]), context);
	});
}

/** `'rm -rf x' is denied by the rule Bash(rm *) in .claude/settings.json` */
export function describeMatch(match: BashMatch, verb: string): string {
	const may = match.certainty === "maybe" ? "may be" : "is";
	return `'${match.part}' ${may} ${verb} by the rule ${describeRule(match.rule)}`;
}
