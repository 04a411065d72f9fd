// Text with holes: the literal pieces between places where anything may stand. One piece is plain text,
// two pieces are a prefix and a suffix, and so on. Serves as pattern (`npm run *`) and as a command whose
// words are only partly known (`rm $x`). Everything here is linear: rules and commands may be hostile.

export type HoledText = readonly [string, ...string[]];

/** Splits at `*`; a backslash keeps the next `*` or backslash literal. */
export function parseStars(pattern: string): HoledText {
	const pieces: [string, ...string[]] = [""];
	for (let at = 0; at < pattern.length; at += 1) {
		const char = pattern.charAt(at);
		const next = pattern.charAt(at + 1);
		if (char === "\\" && (next === "*" || next === "\\")) {
			pieces[pieces.length - 1] += next;
			at += 1;
		} else if (char === "*") pieces.push("");
		else pieces[pieces.length - 1] += char;
	}
	return pieces;
}

export function isPlain(text: HoledText): boolean {
	return text.length === 1;
}

/** Whether the whole of `text` fits the pattern. */
export function matchesText(pattern: HoledText, text: string): boolean {
	const first = pattern[0];
	const last = pattern.at(-1) ?? "";
	if (pattern.length === 1) return text === first;
	if (text.length < first.length + last.length) return false;
	if (!text.startsWith(first) || !text.endsWith(last)) return false;
	// The leftmost place of each middle piece is always as good as any later one.
	let at = first.length;
	const end = text.length - last.length;
	for (const piece of pattern.slice(1, -1)) {
		const found = text.indexOf(piece, at);
		if (found < 0 || found + piece.length > end) return false;
		at = found + piece.length;
	}
	return true;
}

/** Whether some text fits both. Exact, not a guess. */
export function canMeet(one: HoledText, other: HoledText): boolean {
	if (isPlain(other)) return matchesText(one, other[0]);
	if (isPlain(one)) return matchesText(other, one[0]);
	// With a hole on both sides each can swallow the middle pieces of the other, so only the ends can clash.
	return agreeAtStart(one[0], other[0]) && agreeAtEnd(one.at(-1) ?? "", other.at(-1) ?? "");
}

/** Puts texts one after another, a hole at the joint only where one of them has it. */
export function concatHoled(texts: readonly HoledText[]): HoledText {
	const pieces: [string, ...string[]] = [""];
	for (const text of texts) {
		pieces[pieces.length - 1] += text[0];
		pieces.push(...text.slice(1));
	}
	return pieces;
}

function agreeAtStart(one: string, other: string): boolean {
	return one.startsWith(other) || other.startsWith(one);
}

function agreeAtEnd(one: string, other: string): boolean {
	return one.endsWith(other) || other.endsWith(one);
}
