// Which program a command word starts, as far as the word says.

import { posix } from "node:path";
import type { ShellCommand } from "./script.ts";

/**
 * The program's name without its folder for anything in a `bin` folder (`/bin/rm`, `../../usr/bin/rm`), else the
 * word itself; undefined when it is not known before the command runs.
 */
export function commandName(command: ShellCommand): string | undefined {
	const value = command.words[0]?.value;
	if (value === undefined || !value.includes("/")) return value;
	const folder = posix.basename(posix.dirname(posix.normalize(value)));
	return /^s?bin$/.test(folder) ? posix.basename(value) : value;
}
