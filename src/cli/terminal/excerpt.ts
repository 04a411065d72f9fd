// Lines in a frame as wide as the terminal. What does not fit is left out of the middle, and how much that is is said.

import stringWidth from "string-width";
import type { DetailLine } from "../repl/call-details.ts";

/** A line begins with the first mark; where it is too long for one row it goes on behind the second. */
const LINE = "  │ ";
const CONTINUED = "  ┊ ";
const MIN_COLUMNS = 20;

export interface Excerpt {
	readonly rows: readonly DetailLine[];
	/** Lines of which nothing, or only a part, is among the rows. */
	readonly leftOut: number;
}

/** At most `maxRows` rows, the one that tells what is left out included. */
export function excerptOf(lines: readonly DetailLine[], columns: number, maxRows: number): Excerpt {
	const perLine = lines.map((line) => framed(line, columns));
	const rows = perLine.flat();
	if (rows.length <= maxRows) return { rows, leftOut: 0 };
	const kept = Math.max(2, maxRows - 1);
	const head = Math.ceil(kept / 2);
	const tail = rows.length - Math.floor(kept / 2);
	const owners = perLine.flatMap((ofLine, index) => ofLine.map(() => index));
	const leftOut = new Set(owners.slice(head, tail)).size;
	const note = `  ⋮ ${leftOut} ${leftOut === 1 ? "line is" : "lines are"} not shown here`;
	return { rows: [...rows.slice(0, head), { text: note, tone: "plain" }, ...rows.slice(tail)], leftOut };
}

/** Everything. */
export function wholeOf(lines: readonly DetailLine[], columns: number): readonly DetailLine[] {
	return lines.flatMap((line) => framed(line, columns));
}

function framed({ text, tone }: DetailLine, columns: number): DetailLine[] {
	return rowsOf(text, Math.max(MIN_COLUMNS, columns - 1 - LINE.length)).map((row, index) => ({
		text: `${index === 0 ? LINE : CONTINUED}${row}`,
		tone,
	}));
}

// Every character counts: rows are cut at the edge, not at words.
function rowsOf(text: string, columns: number): string[] {
	const rows: string[] = [];
	let row = "";
	let width = 0;
	for (const character of text) {
		// The common case, at a hundredth of the price.
		const wide = character >= " " && character <= "~" ? 1 : stringWidth(character);
		if (width + wide > columns) {
			rows.push(row);
			row = "";
			width = 0;
		}
		row += character;
		width += wide;
	}
	return [...rows, row];
}
