// Matches one path segment against one gitignore segment: `*`, `?`, `[a-z]`, backslash escapes.
// Backtracks to the last star only, so hostile patterns cost at most pattern × name.

type Token =
	| { readonly type: "char"; readonly char: string }
	| { readonly type: "any-char" }
	| { readonly type: "any-text" }
	| { readonly type: "class"; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] };

export interface SegmentGlob {
	/** As written. */
	readonly text: string;
	/** The name itself, when nothing in the segment is a wildcard. */
	readonly literal: string | undefined;
	readonly tokens: readonly Token[];
}

export function parseSegmentGlob(text: string): SegmentGlob {
	const tokens: Token[] = [];
	for (let at = 0; at < text.length; ) {
		const char = text.charAt(at);
		const bracket = char === "[" ? parseClass(text, at) : undefined;
		if (bracket) {
			tokens.push(bracket.token);
			at = bracket.end;
			continue;
		}
		if (char === "\\" && at + 1 < text.length) {
			tokens.push({ type: "char", char: text.charAt(at + 1) });
			at += 2;
			continue;
		}
		if (char === "?") tokens.push({ type: "any-char" });
		else if (char !== "*") tokens.push({ type: "char", char });
		else if (tokens.at(-1)?.type !== "any-text") tokens.push({ type: "any-text" });
		at += 1;
	}
	const literal = tokens.every((token) => token.type === "char");
	return {
		text,
		literal: literal ? tokens.map((token) => (token.type === "char" ? token.char : "")).join("") : undefined,
		tokens,
	};
}

export function matchesSegment(glob: SegmentGlob, name: string): boolean {
	const { tokens } = glob;
	let token = 0;
	let at = 0;
	let starToken = -1;
	let starAt = 0;
	while (at < name.length) {
		const current = tokens[token];
		if (current?.type === "any-text") {
			starToken = token;
			starAt = at;
			token += 1;
		} else if (current && matchesChar(current, name.charAt(at))) {
			token += 1;
			at += 1;
		} else if (starToken >= 0) {
			starAt += 1;
			at = starAt;
			token = starToken + 1;
		} else return false;
	}
	while (tokens[token]?.type === "any-text") token += 1;
	return token === tokens.length;
}

/** The same without a bound on how much a wildcard stands for: for names whose characters others may count differently. */
export function loosened(glob: SegmentGlob): SegmentGlob {
	const tokens = glob.tokens.map((token): Token => (token.type === "char" ? token : { type: "any-text" }));
	return {
		...glob,
		tokens: tokens.filter((token, at) => token.type === "char" || tokens[at - 1]?.type !== "any-text"),
	};
}

function matchesChar(token: Token, char: string): boolean {
	if (token.type === "char") return token.char === char;
	if (token.type === "class") return token.ranges.some(([low, high]) => low <= char && char <= high) !== token.negated;
	return true;
}

// A bracket without its end is an ordinary character.
function parseClass(text: string, start: number): { token: Token; end: number } | undefined {
	let at = start + 1;
	const negated = text.charAt(at) === "!" || text.charAt(at) === "^";
	if (negated) at += 1;
	const ranges: (readonly [string, string])[] = [];
	for (let first = true; at < text.length; first = false) {
		if (text.charAt(at) === "]" && !first) return { token: { type: "class", negated, ranges }, end: at + 1 };
		if (text.charAt(at) === "\\") at += 1;
		const low = text.charAt(at);
		if (text.charAt(at + 1) === "-" && at + 2 < text.length && text.charAt(at + 2) !== "]") {
			ranges.push([low, text.charAt(at + 2)]);
			at += 3;
		} else {
			ranges.push([low, low]);
			at += 1;
		}
	}
	return undefined;
}
