// Patterns of Bash rules: `*` anywhere; a trailing ` *` also fits the bare command and demands a word boundary;
// `:*` at the end is the same.

import { type HoledText, parseStars } from "./holed-text.ts";

/** The texts a command may have to fit, or undefined where nothing stands before `:*`. */
export function parseCommandPattern(specText: string): readonly HoledText[] | undefined {
	const spec = specText.endsWith(":*") ? `${specText.slice(0, -2).trimEnd()} *` : specText;
	if (!spec.endsWith(" *")) return [parseStars(spec)];
	const command = spec.slice(0, -2).trimEnd();
	if (command === "") return undefined;
	return [parseStars(command), parseStars(`${command} *`)];
}

/** Turns one command into a rule that fits it and nothing else. */
export function exactCommandSpec(command: string): string {
	return command.replace(/[\\*]/g, "\\$&");
}
