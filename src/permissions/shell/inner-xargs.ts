// Commands that xargs and find put together from their arguments and what they read.

import { commandName } from "./command-name.ts";
import { type Inner, NOTHING, opaqueInner } from "./inner.ts";
import type { ShellCommand, ShellInput, ShellWord } from "./script.ts";
import { plainWord, UNKNOWN_WORD } from "./word.ts";
import { behind } from "./wrappers.ts";

/** The command of xargs, with a hole where the words it reads will stand. */
export function ofXargs(command: ShellCommand): Inner {
	const options = readXargsOptions(command.words);
	if (typeof options === "string") return opaqueInner("certain", options);
	const { marker } = options;
	const rest = command.words.slice(options.end);
	if (rest.length === 0) return NOTHING;
	if (marker !== undefined)
		return {
			commands: [
				behind(
					command,
					rest.map((word) => fill(word, marker)),
				),
			],
		};
	const piped = pipedWords(command.input);
	const known = piped.length > 0 ? [behind(command, [...rest, ...piped])] : [];
	return { commands: [behind(command, [...rest, UNKNOWN_WORD]), ...known] };
}

/** Where the command begins and what `-I` replaces in it, or why that is not clear. */
function readXargsOptions(words: readonly ShellWord[]): { end: number; marker?: string } | string {
	let marker: string | undefined;
	let at = 1;
	for (; at < words.length; at += 1) {
		const value = words[at]?.value;
		if (value === undefined) return `it is not known what xargs is given: ${words[at]?.raw}`;
		if (!value.startsWith("-")) break;
		if (value === "--") return { end: at + 1, ...(marker === undefined ? {} : { marker }) };
		const option = /^-([0rtpxo]*)(?:([dEInPLsa])(.*)|([iel])(.*))?$/s.exec(value);
		const long =
			/^--(?:null|no-run-if-empty|verbose|interactive|exit|open-tty|(?:max-args|max-procs|max-lines|delimiter|arg-file|max-chars)(=.*)?)$/s;
		if (!option) {
			const named = long.exec(value);
			if (!named) return `xargs ${value} is not known`;
			if (/^--(?:max|delim|arg)/.test(value) && named[1] === undefined) at += 1;
			continue;
		}
		const [, , valued, attached, optional, suffix] = option;
		if (valued !== undefined && attached === "") at += 1;
		if (valued === "I") marker = attached || words[at]?.value || "{}";
		if (optional === "i") marker = suffix || "{}";
	}
	return { end: at, ...(marker === undefined ? {} : { marker }) };
}

// `echo / | xargs rm -rf`
function pipedWords(input: ShellInput): readonly ShellWord[] {
	if (input.from !== "pipe" || input.command === undefined) return [];
	const name = commandName(input.command);
	if (name !== "echo" && name !== "printf") return [];
	const values = input.command.words.slice(1).map((word) => word.value ?? "");
	return values.flatMap((value) => value.split(/\s|\\n|\\0/).filter((part) => part !== "")).map(plainWord);
}

/** The commands of find's -exec and its kin. */
export function ofFind(command: ShellCommand): Inner {
	const commands: ShellCommand[] = [];
	const { words } = command;
	for (let at = 1; at < words.length; at += 1) {
		if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[at]?.value ?? "")) continue;
		const rest = words.slice(at + 1);
		const end = rest.findIndex((word) => word.value === ";" || word.value === "+");
		const found = (end < 0 ? rest : rest.slice(0, end)).map((word) => fill(word, "{}"));
		if (found.length > 0) commands.push(behind(command, found));
	}
	return { commands };
}

function fill(word: ShellWord, marker: string): ShellWord {
	if (!word.text.some((piece) => piece.includes(marker))) return word;
	const [before = ""] = word.text[0].split(marker);
	return { ...UNKNOWN_WORD, raw: word.raw, text: [before, ""], splits: false };
}
