// The order of decisions for bash, on the parsed command.

import { type BashFacts, gatherBashFacts } from "./bash-facts.ts";
import type { Decision } from "./call.ts";
import { looksInside } from "./looks-inside.ts";
import { isInside } from "./paths/place.ts";
import { isProtected } from "./protected-files.ts";
import { type BashCoverage, coverBash } from "./rules/cover-bash.ts";
import { describeMatch, meetBash } from "./rules/meet-bash.ts";
import { coversTool } from "./rules/selector.ts";
import type { Invocation } from "./shell/analysis.ts";
import { commandName } from "./shell/command-name.ts";
import { judgeReadOnly, readOnlyMessage } from "./shell/read-only/judge.ts";
import type { ShellCommand } from "./shell/script.ts";
import { allow, ask, deny, PLAN_PENDING, type Situation } from "./situation.ts";
import { suggestForCommands, suggestForFile } from "./suggestions.ts";

export function decideBash(situation: Situation): Decision {
	const { call, mode, context } = situation;
	const command = commandOf(call.input);
	if (command === undefined) return ask("bash was called without a command");
	const facts = gatherBashFacts(command, context);

	const denied = meetBash(situation.deny, facts, context);
	if (denied?.certainty === "yes") return deny(`Permission denied: ${describeMatch(denied, "denied")}`, denied.rule);
	if (facts.refused?.verdict === "refused" && mode !== "bypassPermissions") {
		return deny(`Permission denied: this command is always refused, because ${facts.refused.reason}`);
	}
	const mayOnlyLook = call.agent.readOnly || call.agent.planPending === true || mode === "plan";
	const change = mayOnlyLook ? judgeReadOnly(facts.analysis) : undefined;
	if (change !== undefined) {
		const plan = call.agent.planPending ? PLAN_PENDING : "";
		return deny(`Permission denied: ${plan}${readOnlyMessage(change)}`);
	}

	if (denied) return ask(`${describeMatch(denied, "denied")}, which cannot be told before it runs`);
	const asked = meetBash(situation.ask, facts, context);
	if (asked) return ask(describeMatch(asked, "asked about"));
	if (call.hookDecision === "ask") return ask("a hook asks about this command");
	const coverage = cover(situation, facts);
	if (isCovered(coverage) && (coverage.rule || !testsWords(facts))) return allow(coverage.rule);
	const hidden = isRestricted(situation)
		? facts.analysis.opaque.find((each) => each.strength === "certain")
		: undefined;
	if (hidden && !mayOnlyLook) return ask(`it may hide a command that a rule is about: ${hidden.reason}`);
	if (call.hookDecision === "allow" || mode === "bypassPermissions") return allow();
	if (mayOnlyLook) return looksInside(situation, facts) ? allow() : ask(STRAYS);
	if (situation.looksFreely && (looksInside(situation, facts) || restLooksInside(situation, facts, coverage))) {
		return allow(coverage.rule);
	}
	return ask(reasonToAsk(coverage), suggestionsFor(coverage, situation, facts));
}

function commandOf(input: unknown): string | undefined {
	const command = typeof input === "object" && input !== null ? (input as { command?: unknown }).command : undefined;
	return typeof command === "string" ? command : undefined;
}

const STRAYS =
	"it only looks, but where is not certain, or outside the workspace, or at what a rule hides; name the files one by one";

// What decides what the words after it mean, whoever has allowed it.
const CHANGES_THE_SHELL = new Set(
	(
		". alias bind builtin complete declare enable eval exec export getopts hash let local mapfile popd pushd read readarray " +
		"readonly set shopt source trap typeset unalias unset wait"
	).split(" "),
);

function changesTheShell(command: ShellCommand): boolean {
	const name = commandName(command) ?? "eval";
	const sets = name === "printf" && command.words.slice(1).some((word) => /^(?:-v|$)/.test(word.text[0]));
	return sets || CHANGES_THE_SHELL.has(name);
}

// `npm test | tail -5` under a rule for npm test: what no rule covers only looks.
function restLooksInside(situation: Situation, facts: BashFacts, { blocked, files, uncovered }: BashCoverage): boolean {
	if (blocked.length > 0 || files.length > 0) return false;
	if (facts.analysis.commands.some(changesTheShell)) return false;
	const commandsOf = ({ forms, inner }: Invocation): ShellCommand[] => [...forms, ...inner.flatMap(commandsOf)];
	return looksInside(situation, {
		...facts,
		analysis: { ...facts.analysis, commands: uncovered.flatMap(commandsOf) },
	});
}

function cover(situation: Situation, facts: BashFacts): BashCoverage {
	const { context, folders, mode } = situation;
	return coverBash(situation.allow, facts, context, {
		restricted: isRestricted(situation),
		mayWrite: (file) =>
			mode === "acceptEdits" &&
			!file.unknown &&
			file.places.every((place) => isInside(place, folders, context.files) && !isProtected(place, context.copy)),
	});
}

// Some deny or ask rule is about particular commands, so what cannot be seen might be one of them.
function isRestricted(situation: Situation): boolean {
	const rules = [...situation.deny, ...situation.ask];
	return rules.some((rule) => coversTool(rule, "bash") && rule.spec.type === "command");
}

function isCovered({ blocked, commands, files }: BashCoverage): boolean {
	return blocked.length + commands.length + files.length === 0;
}

/** Without a command there is nothing that a rule could cover, and `[[ -f /etc/x ]]` tells of a file all the same. */
function testsWords({ analysis: { loopWords, otherWords } }: BashFacts): boolean {
	return loopWords.length + otherWords.length > 0;
}

function reasonToAsk({ blocked, commands, files }: BashCoverage): string {
	const [reason] = blocked;
	if (reason !== undefined) return `no rule can allow this command: ${reason}`;
	if (commands.length + files.length === 0) return STRAYS;
	const missing = [...commands.map((each) => `'${each}'`), ...files.map((each) => `writing ${each}`)];
	return `no rule allows ${missing.join(", ")}`;
}

function suggestionsFor({ blocked, commands, files }: BashCoverage, situation: Situation, facts: BashFacts): string[] {
	if (blocked.length > 0) return [];
	const written = facts.touched.filter(
		(file) => file.byRedirect && file.access === "edit" && files.includes(file.shown),
	);
	const paths = written.flatMap((file) => file.places.map((place) => place.forms[0]));
	return [
		...suggestForCommands(commands),
		...new Set(paths.map((path) => suggestForFile(path, situation.root, "Edit"))),
	];
}
