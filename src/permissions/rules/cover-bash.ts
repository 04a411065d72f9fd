// How far the allow rules cover a bash call: every command at every depth, every file written by redirection,
// every variable set. What cannot be seen is never covered.

import type { BashFacts } from "../bash-facts.ts";
import { mayObeyForeignSettings } from "../paths/git-folder.ts";
import { fitsPlace } from "../paths/match-path.ts";
import type { PathContext } from "../paths/place.ts";
import type { Invocation } from "../shell/analysis.ts";
import { commandName } from "../shell/command-name.ts";
import { isSafeVariable } from "../shell/environment.ts";
import type { Opaque } from "../shell/script.ts";
import type { TouchedFile } from "../shell/touched-files.ts";
import { coversInvocation, showCommand } from "./match-command.ts";
import type { Rule } from "./rule.ts";
import { coversTool } from "./selector.ts";

export interface BashCoverage {
	/** What no rule can cover. */
	readonly blocked: readonly string[];
	/** Commands without a rule. */
	readonly commands: readonly string[];
	/** The same, as they are written. */
	readonly uncovered: readonly Invocation[];
	/** Written files without a rule. */
	readonly files: readonly string[];
	/** A rule that did its part, for messages. */
	readonly rule: Rule | undefined;
}

export interface CoverOptions {
	/** Some deny or ask rule is about particular commands, so a bare `Bash` must not hide one. */
	readonly restricted: boolean;
	/** Whether something besides the rules (the mode) allows this file to be written. */
	readonly mayWrite: (file: TouchedFile) => boolean;
}

export function coverBash(
	rules: readonly Rule[],
	facts: BashFacts,
	context: PathContext,
	options: CoverOptions,
): BashCoverage {
	const { analysis, refused } = facts;
	const bare = rules.find((rule) => coversTool(rule, "bash") && rule.spec.type === "any");
	const blocked: string[] = [];
	if (analysis.problem !== undefined) blocked.push(`it cannot be parsed (${analysis.problem})`);
	if (refused !== undefined) blocked.push(refused.reason);
	for (const opaque of analysis.opaque) {
		if (blocks(opaque, bare !== undefined, options.restricted)) blocked.push(opaque.reason);
	}
	if (bare) return { blocked, commands: [], uncovered: [], files: [], rule: bare };

	for (const variable of analysis.variables) {
		if (!isSafeVariable(variable)) blocked.push(`it sets ${variable.name}`);
	}
	if (strays(facts, context)) blocked.push("git may run what the settings of a folder name that it is started in");
	const commands = coverCommands(rules, facts);
	const files = writtenWithoutRule(rules, facts, context).filter((file) => !options.mayWrite(file));
	for (const file of files.filter((each) => each.unknown))
		blocked.push(`it is not known which file it writes (${file.shown})`);
	return {
		blocked,
		commands: commands.uncovered.map(({ forms: [written] }) => showCommand(written)),
		uncovered: commands.uncovered,
		files: files.map((file) => file.shown),
		rule: commands.rule,
	};
}

// A rule for `git status` is about where the agent works, and `cd` may lead into what came with somebody's files.
function strays({ analysis: { commands, folders } }: BashFacts, { cwd, files }: PathContext): boolean {
	if (!commands.some((command) => commandName(command) === "git")) return false;
	return folders.unknown || folders.known.some((folder) => folder !== cwd && mayObeyForeignSettings(folder, files));
}

// Whoever allows `watch *` knows that it runs other commands; whoever allows all of bash but `rm` does not mean it.
function blocks(opaque: Opaque, bare: boolean, restricted: boolean): boolean {
	if (opaque.strength === "certain") return true;
	return opaque.strength === "possible" ? !bare : bare && restricted;
}

function coverCommands(rules: readonly Rule[], facts: BashFacts): { uncovered: Invocation[]; rule: Rule | undefined } {
	const patterns = rules.flatMap((rule) =>
		rule.spec.type === "command" ? [{ rule, alternatives: rule.spec.alternatives }] : [],
	);
	const uncovered: Invocation[] = [];
	let used: Rule | undefined;
	for (const invocation of facts.analysis.invocations) {
		const [written] = invocation.forms;
		if (written.words.length === 0) continue;
		const found = coversInvocation(patterns, invocation);
		if (found) used ??= patterns.find((pattern) => pattern === found)?.rule;
		else uncovered.push(invocation);
	}
	return { uncovered, rule: used };
}

function writtenWithoutRule(rules: readonly Rule[], facts: BashFacts, context: PathContext): TouchedFile[] {
	const edits = rules.filter((rule) => coversTool(rule, "edit_file"));
	return facts.touched.filter((file) => {
		if (!file.byRedirect || file.access !== "edit") return false;
		const isAllowed =
			!file.unknown && file.places.every((place) => edits.some((rule) => fitsPlace(rule, place, context)));
		return !isAllowed;
	});
}
