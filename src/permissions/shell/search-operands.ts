// The files that grep and its kin read. A search that names no file reads a whole folder, so which words are the values
// of options has to be told from which are files.

import { lettersOf } from "./read-only/options.ts";
import type { ShellWord } from "./script.ts";

interface Grammar {
	/** Short options with a value. */
	readonly letters: string;
	/** Long options with a value. */
	readonly names: readonly string[];
	/** A long option may be cut short. */
	readonly shortened: boolean;
	/** Searches the working folder when it has no file. */
	readonly always: boolean;
}

const SHARED = "regexp file max-count context after-context before-context";
const GREP: Grammar = {
	letters: "ABCDdefm",
	names:
		`${SHARED} binary-files devices directories label include exclude exclude-from exclude-dir group-separator`.split(
			" ",
		),
	shortened: true,
	always: false,
};
const RIPGREP: Grammar = {
	letters: "ABCEMTdefgjmrt",
	names: (
		`${SHARED} glob iglob type type-not type-add type-clear max-depth maxdepth max-filesize max-columns replace encoding ` +
		"engine threads sort sortr color colors context-separator field-context-separator field-match-separator " +
		"path-separator pre pre-glob ignore-file dfa-size-limit regex-size-limit hostname-bin hyperlink-format generate"
	).split(" "),
	shortened: false,
	always: true,
};

const GRAMMARS: Readonly<Record<string, Grammar | "unknown">> = {
	...Object.fromEntries(["grep", "egrep", "fgrep", "zgrep"].map((name) => [name, GREP])),
	rg: RIPGREP,
	ag: "unknown",
	ack: "unknown",
};

export interface SearchOperands {
	/** Files for certain, and words that may be files. */
	readonly words: readonly ShellWord[];
	/** It goes through the working folder. */
	readonly here: boolean;
}

/** What a search reads; undefined when the command is none. */
export function searchOperands(name: string, args: readonly ShellWord[]): SearchOperands | undefined {
	const grammar = Object.hasOwn(GRAMMARS, name) ? GRAMMARS[name] : undefined;
	return grammar && read(args, grammar);
}

function read(args: readonly ShellWord[], grammar: Grammar | "unknown"): SearchOperands {
	const words: ShellWord[] = [];
	const operands: ShellWord[] = [];
	const options: string[] = [];
	let value: "none" | "maybe" | "certain" = "none";
	let afterOptions = false;
	for (const word of args) {
		const before = value;
		value = "none";
		const text = word.text[0];
		if (before === "certain") words.push(word);
		else if (!afterOptions && word.value === "--") afterOptions = before === "none";
		else if (!afterOptions && /^-./.test(text)) {
			options.push(text);
			value = valueFor(text, grammar);
		} else if (before === "maybe") words.push(word);
		else operands.push(word);
	}
	// Where an unknown option may have taken a word, the pattern may be the next one.
	const isClear = grammar !== "unknown" && words.length === 0;
	if (!options.some((option) => givesPattern(option, grammar))) {
		const pattern = operands.shift();
		if (pattern && !isClear) words.push(pattern);
	}
	const searches = grammar === "unknown" || grammar.always || options.some(isRecursive);
	return { words: [...words, ...operands], here: searches && operands.length === 0 };
}

function valueFor(option: string, grammar: Grammar | "unknown"): "none" | "maybe" | "certain" {
	if (option.includes("=")) return "none";
	if (grammar === "unknown") return "maybe";
	if (!option.startsWith("--")) {
		const letters = lettersOf(option, grammar.letters);
		return letters.length === option.length - 1 && grammar.letters.includes(letters.slice(-1)) ? "certain" : "none";
	}
	const name = option.slice(2);
	if (grammar.names.includes(name)) return "certain";
	return grammar.shortened && grammar.names.some((each) => each.startsWith(name)) ? "maybe" : "none";
}

function givesPattern(option: string, grammar: Grammar | "unknown"): boolean {
	if (option.startsWith("--")) return /^--(?:reg|file(?:=|$)|files$)/.test(option);
	return grammar !== "unknown" && /[ef]/.test(lettersOf(option, grammar.letters));
}

const isRecursive = (option: string) => /^-[a-zA-Z]*[rRd]|^--(?:r(?!eg)|de|di)/.test(option);
