// How the pattern of a Bash rule meets one command. Allow rules are read narrowly: the command's name must be
// plain and known. Deny and ask rules are read widely: unquoted, without its folder, and with holes where the
// command is only known at run time.

import { posix } from "node:path";
import type { Invocation } from "../shell/analysis.ts";
import { commandName } from "../shell/command-name.ts";
import { isSafePrefix } from "../shell/environment.ts";
import type { ShellCommand, ShellWord } from "../shell/script.ts";
import { canMeet, concatHoled, type HoledText, matchesText } from "./holed-text.ts";

/**
 * Whether a rule covers the command in one of the forms it comes down to, and rules cover every command among its
 * arguments. A rule that names such a command (`find * -exec grep *`) covers it too.
 */
export function coversInvocation(rules: readonly CommandRule[], invocation: Invocation): CommandRule | undefined {
	return rules.find(
		(rule) =>
			coversForms(rule.alternatives, invocation) &&
			invocation.inner.every((inner) => coversInvocation([...rules, ...naming(rule, inner)], inner) !== undefined),
	);
}

/** The part of an allow rule that is looked at here. */
export interface CommandRule {
	readonly alternatives: readonly HoledText[];
}

// The rule speaks of the inner command, and of the variables it is given.
function naming(rule: CommandRule, inner: Invocation): CommandRule[] {
	const [command] = inner.forms;
	const name = command.words[0]?.value;
	if (name === undefined) return [];
	const pieces = rule.alternatives.flat();
	if (!pieces.some((piece) => wordsOf(piece).includes(name))) return [];
	const prefix = assignmentText(command);
	const start = pieces.some((piece) => piece.includes(prefix)) ? prefix + name : name;
	return [{ alternatives: [[start], [`${start} `, ""]] }];
}

function coversForms(alternatives: readonly HoledText[], invocation: Invocation): boolean {
	const [written] = invocation.forms;
	const isSafe = written.assignments.every(isSafePrefix);
	const prefix = assignmentText(written);
	const forms = isSafe ? invocation.forms : [written];
	return forms.some((form, index) => {
		if (!hasPlainName(form)) return false;
		const texts = writtenTexts(form);
		const prefixed = index === 0 && prefix !== "" ? texts.map((text) => prefix + text) : [];
		return fitsOne(alternatives, isSafe ? [...texts, ...prefixed] : prefixed);
	});
}

/**
 * `yes`: the pattern fits the command. `maybe`: it would for some values of what is not known.
 * @param moves the script changes its folder: `cd /usr/bin; ./rm x` is an `rm x`
 */
export function meetsCommand(
	alternatives: readonly HoledText[],
	command: ShellCommand,
	moves = false,
): "yes" | "maybe" | "no" {
	if (command.words.length === 0) return "no";
	const prefix = assignmentText(command);
	const variants = [command, ...withoutFolder(command, moves)].flatMap((each) => [
		each,
		...withoutLeadingOptions(each),
	]);
	const texts = variants.flatMap((variant) => writtenTexts(variant));
	if (fitsOne(alternatives, prefix === "" ? texts : [...texts, ...texts.map((text) => prefix + text)])) return "yes";
	const holed = variants.map((variant) => holedText(variant.words));
	const meets = alternatives.some((pattern) => holed.some((text) => canMeet(pattern, text)));
	return meets ? "maybe" : "no";
}

/** Whether a text that cannot be parsed holds the words that the pattern begins with. */
export function isMentioned(alternatives: readonly HoledText[], source: string): boolean {
	const words = wordsOf(source);
	return alternatives.some((pattern) => {
		const wanted = wordsOf(pattern[0]);
		if (wanted.length === 0) return true;
		return words.some((_, start) => wanted.every((word, index) => words[start + index] === word));
	});
}

/** The command on one line, as rules and people see it; variables that are looked through are left out. */
export function showCommand(command: ShellCommand): string {
	return command.assignments.every(isSafePrefix)
		? writtenText(command)
		: assignmentText(command) + writtenText(command);
}

function writtenText(command: ShellCommand): string {
	return command.words.map((word) => word.raw).join(" ");
}

function assignmentText(command: ShellCommand): string {
	return command.assignments.map((assignment) => `${assignment.raw} `).join("");
}

function hasPlainName(command: ShellCommand): boolean {
	const name = command.words[0];
	return name?.value !== undefined && !name.disguised;
}

// As written, and with the quotes taken off words that need none.
function writtenTexts(command: ShellCommand): string[] {
	const raw = writtenText(command);
	const plain = command.words.map((word) => (isOneWord(word.value) ? word.value : word.raw)).join(" ");
	return plain === raw ? [raw] : [raw, plain];
}

function isOneWord(value: string | undefined): value is string {
	return value !== undefined && value !== "" && !/\s/.test(value);
}

function withoutFolder(command: ShellCommand, moves: boolean): ShellCommand[] {
	const [first, ...rest] = command.words;
	const known = commandName(command) ?? "";
	const name = moves ? posix.basename(known) : known;
	if (first === undefined || name === "" || name === first.value) return [];
	return [{ ...command, words: [{ ...first, raw: name, text: [name], value: name }, ...rest] }];
}

// `git -c a=b push` is a `git push`. Whether a word after an option is its value is not known, so both are tried.
function withoutLeadingOptions(command: ShellCommand): ShellCommand[] {
	const [name, ...rest] = command.words;
	const isOption = (at: number) => rest[at]?.text[0].startsWith("-") === true;
	if (name === undefined || !isOption(0)) return [];
	const starts = new Set<number>();
	let reachable = new Set([0]);
	for (let at = 0; at < rest.length && reachable.size > 0; at += 1) {
		const isReachable = reachable.delete(at);
		if (!isReachable) continue;
		if (!isOption(at)) starts.add(at);
		else reachable = new Set([...reachable, at + 1, ...(isOption(at + 1) ? [] : [at + 2])]);
	}
	return [...starts].map((start) => ({ ...command, words: [name, ...rest.slice(start)] }));
}

// A word that may vanish takes the blank before it along.
function holedText(words: readonly ShellWord[]): HoledText {
	const parts = words.map((word, index): HoledText => {
		const vanishes = word.splits && word.text.every((piece) => piece === "");
		return index === 0 || vanishes ? word.text : concatHoled([[" "], word.text]);
	});
	return concatHoled(parts);
}

function fitsOne(alternatives: readonly HoledText[], texts: readonly string[]): boolean {
	return alternatives.some((pattern) => texts.some((text) => matchesText(pattern, text)));
}

function wordsOf(text: string): string[] {
	return text.split(/[\s;&|()<>`"'${}\\]+/).filter((word) => word !== "");
}
