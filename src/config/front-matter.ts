// Front matter of a Markdown file: the YAML between two `---` lines at the top. Reads it strictly first;
// what YAML refuses goes to front-matter-lenient.ts, because real files are sloppy. Never executes
// anything (no `---js` blocks) and never throws. Runs on the main thread.

import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { messageOf } from "../errors.ts";
import { type FrontMatterField, readLeniently } from "./front-matter-lenient.ts";

export type FrontMatter =
	| { readonly kind: "absent"; readonly body: string }
	| { readonly kind: "read"; readonly fields: ReadonlyMap<string, FrontMatterField>; readonly body: string }
	| { readonly kind: "bad"; readonly line: number; readonly reason: string };

const OPENING = /^---[ \t]*$/;
const CLOSING = /^-{3,}[ \t]*$/;
const MAX_HEADER_CHARS = 262_144;

/**
 * Splits a Markdown file into front matter and body.
 *
 * @param knownFields names that the second reading takes for a field wherever they start a line.
 */
export function readFrontMatter(text: string, knownFields: ReadonlySet<string>): FrontMatter {
	const clean = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
	const lines = clean.split("\n");
	const opening = lines.findIndex((line) => line.trim() !== "");
	if (opening < 0 || !OPENING.test(lines[opening] ?? "")) return { kind: "absent", body: clean.trim() };

	const firstLine = opening + 1;
	const found = lines.findIndex((line, index) => index >= firstLine && CLOSING.test(line));
	const end = found >= 0 ? found : endOfUnclosed(lines, firstLine, knownFields);
	const strict = isTooLong(lines.slice(firstLine, end))
		? TOO_LONG
		: readStrictly(lines.slice(firstLine, end), firstLine);
	if (strict.kind === "read") return { ...strict, body: bodyAfter(lines, found >= 0 ? end + 1 : end) };

	// What closes the header may be a rule further down in the body, and the real fence forgotten.
	const gap = found >= 0 ? endBeforeProse(lines, firstLine, end, knownFields) : undefined;
	const header = lines.slice(firstLine, gap ?? end);
	if (isTooLong(header)) return TOO_LONG;
	const fields = readLeniently(header, firstLine, knownFields);
	const closed = found >= 0 && gap === undefined;
	if (fields.size > 0) return { kind: "read", fields, body: bodyAfter(lines, closed ? end + 1 : (gap ?? end)) };
	return closed ? strict : { kind: "bad", line: firstLine, reason: "the front matter has no closing --- line" };
}

const TOO_LONG = {
	kind: "bad",
	line: 1,
	reason: `the front matter is longer than ${MAX_HEADER_CHARS} characters`,
} as const;

function isTooLong(header: readonly string[]): boolean {
	return header.reduce((sum, line) => sum + line.length + 1, 0) > MAX_HEADER_CHARS;
}

function bodyAfter(lines: readonly string[], start: number): string {
	return lines.slice(start).join("\n").trim();
}

// Without a closing fence the header is what stands before the first blank line, up to its last known field.
function endOfUnclosed(lines: readonly string[], firstLine: number, known: ReadonlySet<string>): number {
	const blank = lines.findIndex((line, index) => index >= firstLine && line.trim() === "");
	const limit = blank < 0 ? lines.length : blank;
	let end = firstLine;
	for (let index = firstLine; index < limit; index += 1) {
		const line = lines[index] ?? "";
		const name = /^([\w-]+)[ \t]*:/.exec(line)?.[1];
		const continues = index === end && /^[\s-]/.test(line);
		if (continues || (name !== undefined && known.has(name))) end = index + 1;
	}
	return end;
}

/** Fields that hold prose, which may go on after a blank line. */
const PROSE_FIELDS = new Set(["description", "initialPrompt"]);

// A blank line and then text at the margin, below a field that takes no prose: there the body begins.
function endBeforeProse(
	lines: readonly string[],
	firstLine: number,
	end: number,
	known: ReadonlySet<string>,
): number | undefined {
	let field: string | undefined;
	let blank: number | undefined;
	for (let index = firstLine; index < end; index += 1) {
		const line = lines[index] ?? "";
		const name = /^([\w-]+)[ \t]*:/.exec(line)?.[1];
		if (line.trim() === "") blank ??= index;
		else if (name !== undefined && known.has(name)) [field, blank] = [name, undefined];
		else if (field === undefined || PROSE_FIELDS.has(field) || name !== undefined || /^[\s-]/.test(line))
			blank = undefined;
		else if (!line.startsWith("#") && blank !== undefined) return blank;
	}
	return undefined;
}

type StrictReading =
	| { readonly kind: "read"; readonly fields: Map<string, FrontMatterField> }
	| { readonly kind: "bad"; readonly line: number; readonly reason: string };

function readStrictly(header: readonly string[], firstLine: number): StrictReading {
	const counter = new LineCounter();
	const document = parseDocument(header.join("\n"), { lineCounter: counter, prettyErrors: false, logLevel: "silent" });
	const lineAt = (offset: number) => firstLine + counter.linePos(offset).line;
	const error = document.errors[0];
	if (error) return { kind: "bad", line: lineAt(error.pos[0]), reason: `bad YAML: ${error.message}` };
	if (document.contents === null) return { kind: "read", fields: new Map() };
	if (!isMap(document.contents)) {
		return { kind: "bad", line: firstLine + 1, reason: "the front matter holds no `field: value` lines" };
	}
	const fields = new Map<string, FrontMatterField>();
	for (const pair of document.contents.items) {
		if (!isScalar(pair.key)) continue;
		const line = lineAt(pair.key.range?.[0] ?? 0);
		try {
			const node = pair.value as { toJS?(doc: unknown, options?: { maxAliasCount: number }): unknown } | null;
			fields.set(String(pair.key.value), { value: node?.toJS?.(document, { maxAliasCount: 50 }) ?? null, line });
		} catch (thrown) {
			return { kind: "bad", line, reason: `bad YAML: ${messageOf(thrown)}` };
		}
	}
	return { kind: "read", fields };
}
