// Builtins that evaluate the names they are given: `read 'a[$(rm x)]'` runs rm, and so does every later value of a
// variable that `declare -i` has made a number. Where such a name may be one is read widely: words that are only known
// at run time may be the option before it.

import { type Inner, NOTHING, opaqueInner } from "./inner.ts";
import { holdsCode } from "./opaque-syntax.ts";
import type { ShellCommand, ShellWord } from "./script.ts";

const NAMING = /^(?:let|getopts|mapfile|read|readarray|unset|wait)$/;
const DECLARING = /^(?:declare|export|local|readonly|typeset)$/;

/** What such a builtin may run besides itself; undefined when the command is none. */
export function ofNames(command: ShellCommand, name: string): Inner | undefined {
	const args = command.words.slice(1);
	if (name === "printf") return evaluates(name, printsInto(args));
	if (name === "test" || name === "[") return evaluates(name, testsName(name === "[" ? args.slice(0, -1) : args));
	if (NAMING.test(name)) return evaluates(name, name === "let" || args.some(mayHoldCode));
	if (DECLARING.test(name))
		return evaluates(
			name,
			args.some((word) => mayHoldCode(word) || makesNumber(word)),
		);
	return undefined;
}

function evaluates(name: string, isSo: boolean): Inner {
	return isSo ? opaqueInner("possible", `${name} evaluates a name that it is given`) : NOTHING;
}

// `-v NAME`, `-vNAME`, more than once.
function printsInto(args: readonly ShellWord[]): boolean {
	return args.some((word, at) => {
		if (word.value === undefined) return at === 0 && (word.text[0] === "" || word.text[0].startsWith("-"));
		if (!word.value.startsWith("-v")) return false;
		const name = word.value === "-v" ? args[at + 1] : undefined;
		return !/^\w*$/.test(word.value === "-v" ? (name?.value ?? "[") : word.value.slice(2));
	});
}

function testsName(args: readonly ShellWord[]): boolean {
	return args.some((word, at) => {
		// Several words, of which one may be -v and the next its name.
		if (word.splits && !/^\$[?#$!]$/.test(word.raw)) return true;
		const mayAsk = word.value === undefined ? /^-?$/.test(word.text[0]) : /^-[vR]$/.test(word.value);
		const next = args[at + 1];
		return mayAsk && next !== undefined && (next.value === undefined || /[^\w=<>!()-]/.test(next.value));
	});
}

const isOpen = (word: ShellWord) => word.value === undefined && /^-?$/.test(word.text[0]);

const mayHoldCode = (word: ShellWord) => isOpen(word) || word.text[0].includes("[") || word.text.some(holdsCode);

/** `-i` evaluates every value, `-n` every name that the variable stands for. */
const makesNumber = (word: ShellWord) => /^[-+][a-zA-Z]*[in]/.test(word.text[0]);
