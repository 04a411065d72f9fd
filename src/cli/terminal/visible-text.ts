// Text whose every character a person must see before deciding on it: what a terminal would act on, swallow or show as
// something else is written out.

// Format characters (among them those that turn the reading direction), line separators, blanks that are no space,
// fillers and signs that show nothing (a braille cell without dots, a note without a head), what is private or no
// character at all.
const HIDDEN =
	/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}]|(?! )\p{Zs}/gu;
const TAB_COLUMNS = 4;

/** The lines of a text. A tab is blanks up to its stop; a control character is its picture (`␛`), another `‹U+202E›`. */
export function visibleLines(text: string): string[] {
	return text.split("\n").map((line) => withTabStops(line).replace(HIDDEN, picture));
}

/** The same as one line of at most `maxChars`. */
export function visibleLine(text: string, maxChars: number): string {
	const line = visibleLines(text).join("␊");
	return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line;
}

function withTabStops(line: string): string {
	if (!line.includes("\t")) return line;
	let shown = "";
	for (const part of line.split(/(\t)/)) {
		shown += part === "\t" ? " ".repeat(TAB_COLUMNS - (shown.length % TAB_COLUMNS)) : part;
	}
	return shown;
}

function picture(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	if (code < 0x20) return String.fromCodePoint(0x2400 + code);
	if (code === 0x7f) return "␡";
	return `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
}
