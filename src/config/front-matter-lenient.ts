// The second reading of front matter that YAML refuses: cut into fields by the lines that start one, then each
// field read on its own, so that one unquoted colon costs nothing but its own field. What even then is no YAML
// stays text and is marked with a doubt; the reader of the file decides whether text will do.

import { isMap, parseDocument } from "yaml";
import { messageOf } from "../errors.ts";

export interface FrontMatterField {
	readonly value: unknown;
	/** Line of the file, from 1. */
	readonly line: number;
	/** Why YAML cannot read this field; `value` is then its text as it stands. */
	readonly doubt?: string;
}

interface Chunk {
	readonly name: string;
	readonly line: number;
	readonly first: string;
	readonly rest: string[];
}

/** Reads `header` field by field. `firstLine` is the number of lines above it. */
export function readLeniently(
	header: readonly string[],
	firstLine: number,
	knownFields: ReadonlySet<string>,
): Map<string, FrontMatterField> {
	const fields = new Map<string, FrontMatterField>();
	// A field given twice keeps its last value, as YAML readers that allow it do.
	for (const chunk of cutIntoChunks(header, firstLine, knownFields)) fields.set(chunk.name, readChunk(chunk));
	return fields;
}

const FIELD = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*)|)$/;
const TIGHT_FIELD = /^([A-Za-z][\w-]*):(\S.*)$/;
// Words that start a line of a dialogue inside a description.
const DIALOGUE = new Set(["user", "assistant", "human", "context", "commentary", "example", "examples", "note"]);

function cutIntoChunks(header: readonly string[], firstLine: number, known: ReadonlySet<string>): Chunk[] {
	const chunks: Chunk[] = [];
	let current: Chunk | undefined;
	let prose = false;
	let tagEnd = -1;
	for (const [index, line] of header.entries()) {
		const start = index <= tagEnd ? undefined : startOfField(line, known, prose);
		if (start) {
			current = { name: start.name, first: start.value, line: firstLine + index + 1, rest: [] };
			chunks.push(current);
			prose = false;
		} else if (current) {
			current.rest.push(line);
			prose ||= /^[^\s#-]/.test(line);
		}
		if (current) tagEnd = Math.max(tagEnd, endOfOpenTag(header, index));
	}
	return chunks;
}

function startOfField(line: string, known: ReadonlySet<string>, prose: boolean) {
	const match = FIELD.exec(line) ?? TIGHT_FIELD.exec(line);
	const name = match?.[1];
	if (name === undefined) return undefined;
	const value = match?.[2] ?? "";
	if (known.has(name)) return { name, value };
	const mayStart = !prose && FIELD.test(line) && /^[a-z]/.test(name) && !DIALOGUE.has(name);
	return mayStart ? { name, value } : undefined;
}

// `<example>` on this line with its `</example>` further down: everything between belongs to the field.
function endOfOpenTag(header: readonly string[], index: number): number {
	const line = header[index] ?? "";
	let end = -1;
	for (const match of line.matchAll(/<([A-Za-z][\w-]*)>/g)) {
		const closing = `</${match[1]}>`;
		if (line.indexOf(closing, match.index) >= 0) continue;
		const closedAt = header.findIndex((later, at) => at > index && later.includes(closing));
		end = Math.max(end, closedAt);
	}
	return end;
}

function readChunk(chunk: Chunk): FrontMatterField {
	const source = [`${chunk.name}: ${chunk.first}`, ...chunk.rest].map(spacesForTabs).join("\n");
	const document = parseDocument(source, { prettyErrors: false, logLevel: "silent" });
	const doubt = document.errors[0]?.message;
	const asText = { value: textOf(chunk), line: chunk.line };
	if (doubt !== undefined) return { ...asText, doubt };
	try {
		const value = isMap(document.contents) && document.contents.items.length === 1 ? document.toJS() : undefined;
		if (value === undefined) return { ...asText, doubt: "it is more than one value" };
		return { value: (value as Record<string, unknown>)[chunk.name] ?? null, line: chunk.line };
	} catch (thrown) {
		return { ...asText, doubt: messageOf(thrown) };
	}
}

function spacesForTabs(line: string): string {
	return line.replace(/^[ \t]+/, (indent) => indent.replaceAll("\t", "  "));
}

function textOf(chunk: Chunk): string {
	const blockScalar = /^[|>][+-]?\d?$/.test(chunk.first.trim());
	const lines = blockScalar ? dedent(chunk.rest) : [chunk.first, ...chunk.rest];
	return withoutQuotes(lines.join("\n").trim());
}

function dedent(lines: readonly string[]): string[] {
	const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
	const margin = indents.length === 0 ? 0 : Math.min(...indents);
	return lines.map((line) => line.slice(margin));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", '"': '"', "\\": "\\" };

function withoutQuotes(text: string): string {
	const quote = text[0];
	if (quote !== '"' && quote !== "'") return text;
	// A quote that does not also end the text opens a quotation, not the value.
	if (text.length < 2 || !text.endsWith(quote)) return text;
	const inner = text.slice(1, -1);
	if (quote === "'") return inner.replaceAll("''", "'");
	return inner.replace(/\\([nt"\\])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}
