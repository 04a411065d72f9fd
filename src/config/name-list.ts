// Lists of names as people write them: a YAML list, or one string with commas, spaces or bullets.

/**
 * The names in `value`, or undefined where it is neither text nor a list of texts. Commas and blanks inside
 * parentheses belong to a name: `Bash(git add, git *)` is one.
 */
export function splitNames(value: unknown): string[] | undefined {
	if (typeof value === "string") return splitText(value);
	if (!Array.isArray(value)) return undefined;
	const names: string[] = [];
	for (const item of value) {
		if (item === null) continue;
		const inner = typeof item === "string" || Array.isArray(item) ? splitNames(item) : undefined;
		if (inner === undefined) return undefined;
		names.push(...inner);
	}
	return names;
}

function splitText(text: string): string[] {
	const names: string[] = [];
	let name = "";
	let depth = 0;
	const finish = () => {
		const clean = name.trim().replace(/^["'`]+|["'`]+$/g, "");
		if (clean !== "" && clean !== "-") names.push(clean);
		name = "";
	};
	for (const char of stripBrackets(text)) {
		if (char === "(") depth += 1;
		if (char === ")") depth = Math.max(0, depth - 1);
		if (depth === 0 && /[\s,;]/.test(char)) finish();
		else name += char;
	}
	finish();
	return joinSpacedSpecs(names);
}

// `[a, b` and `[a, b]` alike, and no bullet is taken for a name (`*` alone means all).
function stripBrackets(text: string): string {
	return text
		.trim()
		.replace(/^\[/, "")
		.replace(/\]$/, "")
		.replace(/^[ \t]*[*•-][ \t]+/gm, " ");
}

// `Bash (git *)` is `Bash(git *)`.
function joinSpacedSpecs(names: readonly string[]): string[] {
	const joined: string[] = [];
	for (const name of names) {
		const before = joined.at(-1);
		if (name.startsWith("(") && before !== undefined && !before.includes("("))
			joined[joined.length - 1] = before + name;
		else joined.push(name);
	}
	return joined;
}
