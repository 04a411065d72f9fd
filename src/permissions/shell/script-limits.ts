// Beyond these a command is not looked into: parsing would hold up everything else on this thread.
const MAX_LENGTH = 32_768;
const MAX_SUBSTITUTIONS = 100;
const MAX_EXPANSIONS = 2_000;
const MAX_COMMANDS = 4_000;

/** Why a text is not even parsed. */
export function findExcess(source: string): string | undefined {
	if (source.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
	if (source.includes("\0")) return "it holds a null character";
	if (source.endsWith("\\")) return "it ends with a backslash";
	const count = (pattern: RegExp) => source.match(pattern)?.length ?? 0;
	if (count(/[$<>]\(|`/g) > MAX_SUBSTITUTIONS) return `it holds more than ${MAX_SUBSTITUTIONS} substitutions`;
	if (count(/[;&|\n]/g) > MAX_COMMANDS) return `it holds more than ${MAX_COMMANDS} commands or lines`;
	return count(/\$[{[]/g) > MAX_EXPANSIONS ? `it holds more than ${MAX_EXPANSIONS} expansions` : undefined;
}
