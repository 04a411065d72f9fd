// Helpers to judge a command's arguments when nothing may be changed. What is not known counts as the worst.

import type { ShellWord } from "../script.ts";

/** Whether the word may turn out to be an option, or several words. */
export function mayBeOption(word: ShellWord): boolean {
	// A process substitution becomes a path.
	if (word.value !== undefined || /^[<>]\(/.test(word.raw)) return false;
	return word.text[0] === "" || word.splits || word.text[0].startsWith("-");
}

export interface OptionLimits {
	/** Letters of options that are refused. */
	readonly letters?: string;
	/** Letters of options whose value may be attached. */
	readonly valued?: string;
	/** Long options that are refused, and every shortening of them. */
	readonly long?: readonly string[];
}

/** Why the options are not harmless; undefined when they are. */
export function judgeOptions(args: readonly ShellWord[], limits: OptionLimits): string | undefined {
	for (const word of args.slice(0, endOfOptions(args))) {
		if (mayBeOption(word)) return `${word.raw} may turn out to be an option; write ./${word.raw} or put -- before it`;
		const start = word.text[0];
		if (start.startsWith("--")) {
			const name = start.split("=", 1)[0] ?? start;
			if (limits.long?.some((option) => option.startsWith(name))) return `the option ${name} is not allowed here`;
		} else if (/^-./.test(start)) {
			const letter = [...lettersOf(start, limits.valued ?? "")].find((each) => limits.letters?.includes(each));
			if (letter !== undefined) return `the option -${letter} is not allowed here`;
		}
	}
	return undefined;
}

/** The words that are neither options nor before a `--`. */
export function operandsOf(args: readonly ShellWord[]): readonly ShellWord[] {
	const end = endOfOptions(args);
	return [...args.slice(0, end).filter((word) => !/^-./.test(word.text[0])), ...args.slice(end + 1)];
}

/** Where the options end for certain: behind an option, `--` may be its value (`grep -e -- -R`). */
function endOfOptions(args: readonly ShellWord[]): number {
	const end = args.findIndex(
		(word, at) => word.value === "--" && !/^-/.test(at === 0 ? "" : (args[at - 1]?.value ?? "-")),
	);
	return end < 0 ? args.length : end;
}

/** The letters of one cluster; what follows a letter with a value is the value. */
export function lettersOf(option: string, valued: string): string {
	const letters = option.slice(1);
	const end = [...letters].findIndex((letter) => valued.includes(letter));
	return end < 0 ? letters : letters.slice(0, end + 1);
}
