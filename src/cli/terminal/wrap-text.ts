// Lines broken at words instead of at the terminal's edge.

import stringWidth from "string-width";

/** What stands before the words of a line: a colour, blanks, and the mark of a list's item. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const LEAD = /^(?:\u001b\[[0-9;]*m)*\s*(?:(?:[-*•]|\d{1,3}[.)])\s+)?/;
/** Two columns: a name, two blanks or more, what it is. */
const TWO_COLUMNS = /^\s*\S.*?\s{2,}(?=\S)/;

/** Breaks the lines that are wider than `columns`; what follows a break is indented as the line's words are. */
export function wrapText(text: string, columns: number, layout: "prose" | "table" = "prose"): string {
	return text
		.split("\n")
		.map((line) => (stringWidth(line) <= columns ? line : wrapLine(line, columns, layout)))
		.join("\n");
}

function wrapLine(line: string, columns: number, layout: "prose" | "table"): string {
	const lead = leadOf(line, columns, layout);
	const indent = " ".repeat(stringWidth(lead));
	const rows: string[] = [];
	let row = lead;
	let width = indent.length;
	let isStart = true;
	for (const [, gap = "", word = ""] of line.slice(lead.length).matchAll(/(\s*)(\S+)/g)) {
		const added = stringWidth(word) + (isStart ? 0 : gap.length);
		if (!isStart && width + added > columns) {
			rows.push(row);
			row = `${indent}${word}`;
			width = indent.length + stringWidth(word);
		} else {
			row += isStart ? word : `${gap}${word}`;
			width += added;
		}
		isStart = false;
	}
	return [...rows, row].join("\n");
}

function leadOf(line: string, columns: number, layout: "prose" | "table"): string {
	const lead = (layout === "table" ? TWO_COLUMNS.exec(line)?.[0] : undefined) ?? LEAD.exec(line)?.[0] ?? "";
	// An indent that leaves no room for words is none.
	return stringWidth(lead) <= columns / 2 ? lead : (/^\s{0,8}/.exec(line)?.[0] ?? "");
}

/** Cuts a line to a width in terminal columns. */
export function cutLine(line: string, columns: number): string {
	if (stringWidth(line) <= columns) return line;
	let kept = "";
	let width = 0;
	for (const char of line) {
		width += stringWidth(char);
		if (width > columns - 1) break;
		kept += char;
	}
	return `${kept}…`;
}
