// Lines in a frame as wide as the terminal. What does not fit is left out of the middle, and how much that is is said.
// Only what can be shown is measured: a call may be a megabyte of wide characters.

import stringWidth from "string-width";
import type { DetailLine } from "../repl/call-details.ts";

/** A line begins with the first mark; where it is too long for one row it goes on behind the second. */
const LINE = "  │ ";
const CONTINUED = "  ┊ ";
const MIN_COLUMNS = 20;
/** Characters in a row for each of its columns: marks that take no room of their own are no way around its end. */
const MOST_PER_COLUMN = 4;

export interface Excerpt {
	readonly rows: readonly DetailLine[];
	/** Lines of which nothing, or only a part, is among the rows. */
	readonly leftOut: number;
}

/** At most `maxRows` rows, the one that tells what is left out included. */
export function excerptOf(lines: readonly DetailLine[], columns: number, maxRows: number): Excerpt {
	const first = firstRows(lines, columns, maxRows + 1);
	if (first.length <= maxRows) return { rows: first.map(({ row }) => row), leftOut: 0 };
	const kept = Math.max(2, maxRows - 1);
	const head = first.slice(0, Math.ceil(kept / 2));
	const { rows: tail, lastLeftOut } = lastRows(lines, columns, Math.floor(kept / 2));
	const firstLeftOut = first[head.length]?.line ?? 0;
	const leftOut = lastLeftOut - firstLeftOut + 1;
	const note = `  ⋮ ${leftOut} ${leftOut === 1 ? "line is" : "lines are"} not shown here`;
	return { rows: [...head.map(({ row }) => row), { text: note, tone: "plain" }, ...tail], leftOut };
}

/** Everything. */
export function wholeOf(lines: readonly DetailLine[], columns: number): readonly DetailLine[] {
	return lines.flatMap((line) => [...framed(line, columns)]);
}

interface OwnedRow {
	readonly row: DetailLine;
	/** Index of the line it belongs to. */
	readonly line: number;
}

function firstRows(lines: readonly DetailLine[], columns: number, count: number): OwnedRow[] {
	const rows: OwnedRow[] = [];
	for (const [line, detail] of lines.entries()) {
		for (const row of framed(detail, columns)) {
			rows.push({ row, line });
			if (rows.length === count) return rows;
		}
	}
	return rows;
}

/** There are more rows than `count`. */
function lastRows(lines: readonly DetailLine[], columns: number, count: number) {
	let rows: DetailLine[] = [];
	let lastLeftOut = lines.length - 1;
	for (; lastLeftOut >= 0; lastLeftOut -= 1) {
		const line = lines[lastLeftOut] as DetailLine;
		const missing = count - rows.length;
		const ofLine = endRows(line, columns, missing + 1);
		rows = [...ofLine.slice(Math.max(0, ofLine.length - missing)), ...rows];
		if (ofLine.length > missing) break;
	}
	return { rows, lastLeftOut };
}

/** The rows of a line; of one that is much longer at least the last `count`. */
function endRows(line: DetailLine, columns: number, count: number): DetailLine[] {
	const most = roomOf(columns) * MOST_PER_COLUMN * 2 * count;
	if (line.text.length <= most) return [...framed(line, columns)];
	// Not between the halves of a character.
	const end = line.text.slice(-most).replace(/^[\udc00-\udfff]/, "");
	return [...framed({ ...line, text: end }, columns, CONTINUED)];
}

const roomOf = (columns: number): number => Math.max(MIN_COLUMNS, columns - 1 - LINE.length);

function* framed({ text, tone }: DetailLine, columns: number, mark = LINE): Generator<DetailLine> {
	let first = mark;
	for (const row of rowsOf(text, roomOf(columns))) {
		yield { text: `${first}${row}`, tone };
		first = CONTINUED;
	}
}

// Every character counts: rows are cut at the edge, not at words.
function* rowsOf(text: string, columns: number): Generator<string> {
	let row = "";
	let width = 0;
	let count = 0;
	for (const character of text) {
		const wide = widthOf(character);
		if (width + wide > columns || count === columns * MOST_PER_COLUMN) {
			yield row;
			row = "";
			width = 0;
			count = 0;
		}
		row += character;
		width += wide;
		count += 1;
	}
	yield row;
}

const widths = new Map<string, number>();

function widthOf(character: string): number {
	// The common case, at a hundredth of the price.
	if (character >= " " && character <= "~") return 1;
	const known = widths.get(character);
	if (known !== undefined) return known;
	const width = stringWidth(character);
	widths.set(character, width);
	return width;
}
