// Markdown that people read and rules read back: code spans that survive any file name, and plain tables.

// What a code span does not keep, or a terminal would act on.
const NEEDS_QUOTES = /^$|^\s|\s$|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const NOT_PRINTED = /[`|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const PLAIN_CELL = /^[\p{L}\p{N}][\p{L}\p{N} .+#()/-]*$/u;

/** A code span. A text that no span could hold is written as a JSON string inside one. */
export function code(text: string): string {
	if (NEEDS_QUOTES.test(text) || parseString(text) !== undefined) return quoted(text);
	const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
	if (longest === 0) return `\`${text}\``;
	// CommonMark: a longer fence, and one space inside each end, which is not part of the text.
	const fence = "`".repeat(longest + 1);
	return `${fence} ${text} ${fence}`;
}

/** A code span for a table cell, which ends at a bar wherever it stands. */
export function codeCell(text: string): string {
	return text.includes("|") ? quoted(text) : code(text);
}

function quoted(text: string): string {
	return `\`${JSON.stringify(text).replace(NOT_PRINTED, unicodeEscapes)}\``;
}

function unicodeEscapes(character: string): string {
	let escapes = "";
	for (let at = 0; at < character.length; at += 1) {
		escapes += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
	}
	return escapes;
}

/** The text of the code span that `text` begins with, and what follows it; undefined when it begins otherwise. */
export function takeCode(text: string): { readonly value: string; readonly rest: string } | undefined {
	const fence = /^`+/.exec(text)?.[0];
	if (fence === undefined) return undefined;
	const end = [...text.matchAll(/`+/g)].find((run) => run.index > 0 && run[0].length === fence.length);
	if (!end) return undefined;
	const inner = text.slice(fence.length, end.index);
	const value = /^ .* $/.test(inner) && inner.includes("`") ? inner.slice(1, -1) : inner;
	return { value: parseString(value) ?? value, rest: text.slice(end.index + fence.length) };
}

function parseString(text: string): string | undefined {
	if (!text.startsWith('"')) return undefined;
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "string" ? value : undefined;
	} catch {
		return undefined;
	}
}

/** A table cell: as it stands where that is safe, else a code span. */
export function cell(text: string): string {
	return PLAIN_CELL.test(text) && text === text.trim() ? text : codeCell(text);
}

export function readCell(text: string): string {
	const span = takeCode(text.trim());
	return span?.rest === "" ? span.value : text.trim();
}

/** A table; columns whose name stands in `numeric` are aligned to the right. */
export function table(
	columns: readonly string[],
	rows: readonly (readonly string[])[],
	numeric: readonly string[] = [],
) {
	const rule = columns.map((column) => (numeric.includes(column) ? "---:" : "---"));
	return [columns, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The cells of each table row among `lines`, without the header and the rule under it. */
export function tableRows(lines: readonly string[]): string[][] {
	const rows = lines
		.map((line) => line.trim())
		.filter((line) => line.startsWith("|") && line.endsWith("|") && line.length > 1)
		.map((line) =>
			line
				.slice(1, -1)
				.split("|")
				.map((text) => text.trim()),
		);
	return rows.slice(1).filter((cells) => !cells.every((text) => /^:?-+:?$/.test(text)));
}

/** A count as written by `String(n)`, also with thousands separators; undefined for anything else. */
export function readCount(text: string | undefined): number | undefined {
	if (text === undefined || !/^\d[\d,_ ]*$/.test(text.trim())) return undefined;
	return Number(text.replace(/[,_ ]/g, ""));
}

/** `1 file`, `2 files`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
	return `${count} ${count === 1 ? noun : plural}`;
}
