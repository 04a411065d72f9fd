// Where a script may be standing when it uses a relative path. Every `cd` adds places and takes none away:
// whether it ran, and in which subshell, does not matter then.

import { posix } from "node:path";
import { commandName } from "./command-name.ts";
import type { ShellCommand } from "./script.ts";

export interface Folders {
	readonly known: readonly string[];
	/** It may also stand somewhere that the text does not say. */
	readonly unknown: boolean;
}

const MAX_FOLDERS = 32;

export function foldersOf(
	commands: readonly ShellCommand[],
	context: { readonly cwd: string; readonly homeDir: string },
): Folders {
	const known = new Set([context.cwd]);
	let unknown = false;
	for (const command of commands) {
		const name = commandName(command);
		if (name === "env" || name === "tar") {
			unknown ||= command.words.some((word) => /^(?:-[a-zA-Z]*C|--chdir|--directory)/.test(word.text[0]));
		}
		if (name !== "cd" && name !== "pushd") continue;
		const operand = command.words.slice(1).find((word) => !/^-[LPe@n]+$|^--$/.test(word.value ?? ""));
		if (operand === undefined) {
			known.add(context.homeDir);
			continue;
		}
		const target = operand.value;
		const wanders = command.repeated && !target?.startsWith("/");
		if (target === undefined || wanders || /^[-+]/.test(target)) unknown = true;
		else for (const folder of [...known]) known.add(posix.resolve(folder, target));
		if (known.size > MAX_FOLDERS) return { known: [context.cwd], unknown: true };
	}
	return { known: [...known], unknown };
}
