// sed scripts that only print: no writing of files (w), no running of commands (e), no reading of scripts.

import type { ShellWord } from "../script.ts";
import { mayBeOption } from "./options.ts";

/** Why this sed is not harmless; undefined when it is. */
export function judgeSed(args: readonly ShellWord[]): string | undefined {
	const scripts: (string | undefined)[] = [];
	const operands: ShellWord[] = [];
	for (let at = 0; at < args.length; at += 1) {
		const word = args[at];
		if (word === undefined) break;
		if (mayBeOption(word)) return `${word.raw} may turn out to be an option`;
		const value = word.value ?? word.text[0];
		if (value === "--expression" || /^-[nErsuz]*e$/.test(value)) {
			at += 1;
			scripts.push(args[at]?.value);
		} else if (value.startsWith("--expression=")) scripts.push(word.value?.slice("--expression=".length));
		else if (/^-[nErsuz]*e/.test(value)) scripts.push(word.value?.slice(value.indexOf("e") + 1));
		else if (
			/^-[nErsuz]+$/.test(value) ||
			/^--(?:quiet|silent|regexp-extended|null-data|separate|unbuffered|posix|debug|sandbox)$/.test(value)
		)
			continue;
		else if (/^-./.test(value)) return `the option ${value} is not allowed here`;
		else operands.push(word);
	}
	if (scripts.length === 0) scripts.push(operands.shift()?.value);
	for (const script of scripts) {
		if (script === undefined) return "the sed script is not known before it runs";
		if (!isHarmlessSedScript(script)) return `the sed script '${script}' does more than print`;
	}
	return undefined;
}

/** Whether a script consists of nothing but printing, deleting from the output, and substituting in it. */
export function isHarmlessSedScript(script: string): boolean {
	let at = 0;
	const skip = (pattern: RegExp) => {
		pattern.lastIndex = at;
		const found = pattern.exec(script);
		if (found) at += found[0].length;
		return found !== null;
	};
	while (at < script.length) {
		if (skip(/[\s;{}]+/y)) continue;
		if (!skipAddresses()) return false;
		skip(/[\s!]*/y);
		const command = script.charAt(at);
		at += 1;
		if (command === "s" || command === "y") {
			const delimiter = script.charAt(at);
			at += 1;
			if (/[\s\\]/.test(delimiter) || !skipPart(delimiter, true) || !skipPart(delimiter, false)) return false;
			if (command === "s") skip(/[gpiIM0-9]*/y);
		} else if (/[btT:]/.test(command)) skip(/ *[A-Za-z0-9_]*/y);
		else if (/[qQl]/.test(command)) skip(/ *\d*/y);
		else if (!/[pPdDnNgGhHxz=F{}]/.test(command)) return false;
		if (command !== "{" && at < script.length && !/[\s;}]/.test(script.charAt(at))) return false;
	}
	return true;

	function skipAddresses(): boolean {
		for (let count = 0; count < 2; count += 1) {
			if (skip(/\//y)) {
				if (!skipPart("/", true)) return false;
				skip(/[IM]*/y);
			} else if (!skip(/\$|\d+(?:~\d+)?|[+~]\d+/y)) return count === 0;
			if (!skip(/\s*,\s*/y)) return true;
		}
		return false;
	}

	// A delimiter inside brackets is read differently by different seds, so brackets must close before it.
	function skipPart(delimiter: string, isPattern: boolean): boolean {
		let open = false;
		for (; at < script.length; at += 1) {
			const char = script.charAt(at);
			if (char === "\\") at += 1;
			else if (char === delimiter) {
				at += 1;
				return !open;
			} else if (isPattern && char === "[") open = true;
			else if (char === "]") open = false;
		}
		return false;
	}
}
