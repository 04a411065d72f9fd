// The shape of "what a command runs besides itself".

import type { Opaque, ShellCommand } from "./script.ts";

export interface Inner {
	readonly commands: readonly ShellCommand[];
	/** Whether `commands` is what the command comes down to, for allow rules too. */
	readonly transparent?: boolean;
	/** Texts that are run as scripts. */
	readonly scripts?: readonly string[];
	readonly opaque?: readonly Opaque[];
}

export const NOTHING: Inner = { commands: [] };

export function opaqueInner(strength: Opaque["strength"], reason: string): Inner {
	return { commands: [], opaque: [{ strength, reason }] };
}

/** Whether some argument starts like this, as far as its beginning is known. */
export function hasOption(command: ShellCommand, option: RegExp): boolean {
	return command.words.slice(1).some((word) => option.test(word.text[0]));
}
