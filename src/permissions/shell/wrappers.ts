// Programs whose arguments are another command with its arguments: `timeout 5 npm test`, `env A=1 rm x`.
// A table of their options, so that the command behind them is found where it truly begins.

import type { ShellAssignment, ShellCommand, ShellWord } from "./script.ts";
import { dropStart } from "./word.ts";

interface Wrapper {
	/** Allow rules look through it: it changes nothing about what runs. */
	readonly transparent?: true;
	/** Letters of options without and with a value. */
	readonly flags?: string;
	readonly valued?: string;
	readonly longFlags?: readonly string[];
	readonly longValued?: readonly string[];
	/** Options that make it do more than run the command; then it is not transparent. */
	readonly notTransparent?: string;
	/** Own operands before the command. */
	readonly operands?: number;
	/** `-5` is an option. */
	readonly numeric?: true;
	/** `NAME=value` operands come before the command. */
	readonly assignments?: true;
	/** Options that only ask about the command. */
	readonly queries?: string;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
	timeout: {
		transparent: true,
		flags: "fpv",
		valued: "ks",
		longFlags: ["foreground", "preserve-status", "verbose"],
		longValued: ["kill-after", "signal"],
		operands: 1,
	},
	time: {
		transparent: true,
		flags: "apqv",
		valued: "fo",
		longFlags: ["append", "portability", "quiet", "verbose"],
		longValued: ["format", "output"],
		notTransparent: "oa",
	},
	nice: { transparent: true, valued: "n", longValued: ["adjustment"], numeric: true },
	nohup: { transparent: true },
	stdbuf: { transparent: true, valued: "ioe", longValued: ["input", "output", "error"] },
	env: {
		flags: "i0v",
		valued: "uC",
		longFlags: ["ignore-environment", "null", "debug"],
		longValued: ["unset", "chdir"],
		assignments: true,
	},
	command: { flags: "p", queries: "vV" },
	builtin: {},
	exec: { flags: "cl", valued: "a" },
	setsid: { flags: "cfw", longFlags: ["ctty", "fork", "wait"] },
	ionice: { flags: "t", valued: "cn", longFlags: ["ignore"], longValued: ["class", "classdata"] },
	chrt: { flags: "abdfioRr", valued: "TPD", operands: 1 },
	taskset: { flags: "a", operands: 1 },
	chroot: { longFlags: ["skip-chdir"], longValued: ["userspec", "groups"], operands: 1 },
	busybox: {},
	toybox: {},
	doas: { flags: "nLs", valued: "uCa" },
	sudo: { flags: "AbEeHiKklnPSsVv", valued: "CDghpRrTtUu", assignments: true },
};

export type Unwrapped =
	| { readonly found: "command"; readonly command: ShellCommand; readonly transparent: boolean }
	/** Not a wrapper, or one without a command. */
	| { readonly found: "nothing" }
	/** A wrapper whose options we do not know: the command may begin anywhere. */
	| { readonly found: "unclear"; readonly reason: string };

/** Finds the command behind a wrapper; `name` is the command's own, without its folder. */
export function unwrap(command: ShellCommand, name: string): Unwrapped {
	const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
	if (wrapper === undefined) return { found: "nothing" };
	const { words } = command;
	const assignments: ShellAssignment[] = [];
	let at = 1;
	let operands = wrapper.operands ?? 0;
	let transparent = wrapper.transparent === true;
	let options = true;
	for (; at < words.length; at += 1) {
		const word = words[at];
		const value = word?.value;
		const isOption = options && value !== undefined && /^-./.test(value);
		if (isOption && value === "--") {
			options = false;
			continue;
		}
		if (isOption) {
			const option = readOption(wrapper, value);
			if (option.kind === "query") return { found: "nothing" };
			if (option.kind === "unknown") return { found: "unclear", reason: `${name} ${value} is not known` };
			transparent &&= option.transparent;
			if (option.takesNext) at += 1;
			if (option.takesNext && words[at]?.splits) return unclear(name, words[at]);
			continue;
		}
		// Alone it is an option of env.
		if (value === "-" && wrapper.assignments && options) continue;
		options = false;
		if (wrapper.assignments && word?.text[0].includes("=")) {
			if (word.splits) return unclear(name, word);
			assignments.push(assignmentOf(word));
			continue;
		}
		if (operands === 0) break;
		// An operand that is not known may be an option, and the command begin further on.
		if (value === undefined) return unclear(name, word);
		operands -= 1;
	}
	const rest = words.slice(at);
	if (rest.length === 0) return { found: "nothing" };
	return { found: "command", command: { ...behind(command, rest), assignments }, transparent };
}

/** The same command with other words: what a wrapper, xargs or find runs in its place. */
export function behind(command: ShellCommand, words: readonly ShellWord[]): ShellCommand {
	return { ...command, words, assignments: [] };
}

function assignmentOf(word: ShellWord): ShellAssignment {
	const at = word.text[0].indexOf("=");
	return { name: word.text[0].slice(0, at), raw: word.raw, value: dropStart(word, at + 1), byLoop: false };
}

function unclear(name: string, word: ShellWord | undefined): Unwrapped {
	return { found: "unclear", reason: `it is not known what ${name} ${word?.raw} becomes` };
}

type Option =
	| { readonly kind: "known"; readonly takesNext: boolean; readonly transparent: boolean }
	| { readonly kind: "query" }
	| { readonly kind: "unknown" };

function readOption(wrapper: Wrapper, option: string): Option {
	if (option.startsWith("--")) return readLongOption(wrapper, option.slice(2));
	if (wrapper.numeric && /^-\d+$/.test(option)) return { kind: "known", takesNext: false, transparent: true };
	let transparent = true;
	for (let at = 1; at < option.length; at += 1) {
		const letter = option.charAt(at);
		if (wrapper.queries?.includes(letter)) return { kind: "query" };
		if (wrapper.notTransparent?.includes(letter)) transparent = false;
		if (wrapper.valued?.includes(letter)) return { kind: "known", takesNext: at === option.length - 1, transparent };
		if (!wrapper.flags?.includes(letter)) return { kind: "unknown" };
	}
	return { kind: "known", takesNext: false, transparent };
}

function readLongOption(wrapper: Wrapper, text: string): Option {
	const [name = "", value] = text.split("=", 2);
	const transparent = !wrapper.notTransparent?.includes(name.charAt(0));
	if (wrapper.longFlags?.includes(name)) return { kind: "known", takesNext: false, transparent };
	if (wrapper.longValued?.includes(name)) return { kind: "known", takesNext: value === undefined, transparent };
	return { kind: "unknown" };
}
