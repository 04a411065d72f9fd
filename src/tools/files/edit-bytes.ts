// Replaces a text in a file's bytes. Working on bytes keeps everything else as it was: byte order mark, line ends,
// and sequences that are not valid UTF-8.

export interface Edit {
	readonly oldText: string;
	readonly newText: string;
	readonly replaceAll: boolean;
}

export type EditResult =
	| { readonly kind: "edited"; readonly bytes: Buffer; readonly count: number }
	| { readonly kind: "not-found" }
	| { readonly kind: "several"; readonly count: number };

const CARRIAGE_RETURN = 13;
const NEWLINE = 10;

/** Applies the edit. A text with other line ends than the file's is matched, and written, with the file's own. */
export function editBytes(content: Buffer, edit: Edit): EditResult {
	for (const { oldBytes, newBytes } of spellings(content, edit)) {
		const places = findAll(content, oldBytes, edit.replaceAll);
		if (places.length === 0) continue;
		if (places.length > 1 && !edit.replaceAll) return { kind: "several", count: places.length };
		return { kind: "edited", bytes: splice(content, places, oldBytes.length, newBytes), count: places.length };
	}
	return { kind: "not-found" };
}

function spellings(content: Buffer, { oldText, newText }: Edit): { oldBytes: Buffer; newBytes: Buffer }[] {
	const asGiven = { oldBytes: Buffer.from(oldText), newBytes: Buffer.from(newText) };
	const withLf = { oldBytes: Buffer.from(toLf(oldText)), newBytes: Buffer.from(toLf(newText)) };
	const withCrLf = { oldBytes: Buffer.from(toCrLf(oldText)), newBytes: Buffer.from(toCrLf(newText)) };
	switch (lineEndsOf(content)) {
		case "crlf":
			return [withCrLf];
		case "lf":
			return [asGiven, withLf];
		case "mixed":
			return [asGiven, withCrLf, withLf];
	}
}

/** `mixed` for both kinds, and for none, where nothing may be assumed. */
function lineEndsOf(content: Buffer): "lf" | "crlf" | "mixed" {
	let lf = false;
	let crlf = false;
	for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) {
		if (at > 0 && content[at - 1] === CARRIAGE_RETURN) crlf = true;
		else lf = true;
		if (lf && crlf) return "mixed";
	}
	if (crlf) return "crlf";
	return lf ? "lf" : "mixed";
}

// To replace all, occurrences may not overlap; to see whether one is the only one, overlapping ones count too.
function findAll(content: Buffer, wanted: Buffer, disjoint: boolean): number[] {
	const places: number[] = [];
	const step = disjoint ? wanted.length : 1;
	for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + step)) places.push(at);
	return places;
}

function splice(content: Buffer, places: readonly number[], oldLength: number, newBytes: Buffer): Buffer {
	const pieces: Buffer[] = [];
	let from = 0;
	for (const at of places) {
		pieces.push(content.subarray(from, at), newBytes);
		from = at + oldLength;
	}
	pieces.push(content.subarray(from));
	return Buffer.concat(pieces);
}

function toLf(text: string): string {
	return text.replaceAll("\r\n", "\n");
}

function toCrLf(text: string): string {
	return toLf(text).replaceAll("\n", "\r\n");
}
