// Texts that are run as scripts: `sh -c`, a shell's input, eval, trap, alias.

import { hasOption, type Inner, NOTHING, opaqueInner } from "./inner.ts";
import type { ShellCommand, ShellInput } from "./script.ts";

const SHELLS: ReadonlySet<string> = new Set([
	"sh",
	"bash",
	"dash",
	"zsh",
	"ksh",
	"mksh",
	"ash",
	"rbash",
	"fish",
	"csh",
	"tcsh",
]);

export function isShell(name: string): boolean {
	return SHELLS.has(name);
}

/** The script of `sh -c`, or of the shell's input when it has neither script nor file. */
export function ofShell(command: ShellCommand, name: string): Inner {
	const args = command.words.slice(1);
	let at = 0;
	let inline = false;
	for (; at < args.length; at += 1) {
		const value = args[at]?.value;
		if (value === undefined) return opaqueInner("certain", `it is not known what ${name} is given: ${args[at]?.raw}`);
		if (!/^[-+]./.test(value)) break;
		if (value === "--" || value === "-") {
			at += 1;
			break;
		}
		const isShort = /^[-+][^-]/.test(value);
		inline ||= isShort && value.startsWith("-") && value.includes("c");
		if (/^(?:--rcfile|--init-file)$/.test(value)) return opaqueInner("delegated", `${name} runs a file first`);
		// Each o takes a word of its own: `-oc pipefail script`.
		if (isShort) at += [...value].filter((letter) => letter === "o" || letter === "O").length;
	}
	const script = args[at];
	const readsInput =
		script === undefined || hasOption(command, /^-[a-z]*s/) || /^\/(?:dev|proc)\//.test(script.value ?? "");
	if (!inline) return readsInput ? ofInput(command.input, name) : NOTHING;
	if (script === undefined) return NOTHING;
	if (script.value === undefined) return { ...opaqueInner("certain", `${name} -c is given a text that is not known`) };
	return { commands: [], scripts: [script.value] };
}

function ofInput(input: ShellInput, name: string): Inner {
	if (input.from === "pipe") return opaqueInner("certain", `${name} runs whatever it reads from the pipe`);
	if (input.from === "file") return opaqueInner("delegated", `${name} runs a file`);
	if (input.from === "outside") return NOTHING;
	const inner: Inner = { commands: [], scripts: [input.text] };
	return input.known ? inner : { ...inner, ...opaqueInner("certain", `${name} is given a text that is not known`) };
}

export function ofEval(command: ShellCommand): Inner {
	const values = command.words.slice(1).map((word) => word.value);
	const known = values.every((value) => value !== undefined);
	return {
		...opaqueInner("certain", "eval runs its arguments as a command"),
		scripts: known ? [values.join(" ")] : [],
	};
}

export function ofTextArguments(command: ShellCommand, name: "trap" | "alias"): Inner {
	const args = command.words.slice(1).filter((word) => !word.value?.startsWith("-"));
	const texts = name === "trap" ? args.slice(0, 1) : args.filter((word) => word.raw.includes("="));
	if (texts.some((word) => word.value === undefined))
		return opaqueInner("certain", `${name} is given a text that is not known`);
	return {
		commands: [],
		scripts: texts.map((word) => (name === "trap" ? word.value : word.value?.replace(/^[^=]*=/, "")) ?? ""),
	};
}
