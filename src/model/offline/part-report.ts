// The report on one part: Markdown with fixed headings. Written by an explore agent's rules, shown to Claude
// as the shape to answer in, and read back by the lead's rules. parsePartReport(renderPartReport(r)) equals r.

import { cell, code, codeCell, readCell, readCount, table, tableRows, takeCode } from "./markdown.ts";

export interface PartTotals {
	readonly files: number;
	/** Lines of text files; empty and binary files have none. */
	readonly lines: number;
	readonly todos: number;
	readonly exports: number;
	readonly entryPoints: number;
	readonly emptyOrBinary: number;
}

/** A place in the tree (`path` or `path:line`) and what stands there. */
export interface Finding {
	readonly place: string;
	readonly text: string;
}

export interface PartImports {
	/** Name of the part that is imported. */
	readonly part: string;
	readonly count: number;
	/** One of the places, `path:line`. */
	readonly example: string;
}

export interface PartReport {
	readonly part: string;
	readonly totals: PartTotals;
	readonly purpose: readonly Finding[];
	readonly languages: readonly { readonly language: string; readonly files: number; readonly lines: number }[];
	/** The first of them; `totals` has the full number. */
	readonly entryPoints: readonly Finding[];
	/** Files with the most exports, most first. */
	readonly exports: readonly { readonly path: string; readonly count: number }[];
	/** The first of them; `totals` has the full number. */
	readonly todos: readonly Finding[];
	readonly largestFiles: readonly { readonly path: string; readonly lines: number }[];
	readonly imports: readonly PartImports[];
	/** What went wrong or was left out, in words. */
	readonly notes: readonly string[];
}

const TITLE = "# Part report: ";
const FIGURES: readonly (readonly [string, keyof PartTotals])[] = [
	["files", "files"],
	["lines", "lines"],
	["TODO/FIXME", "todos"],
	["exports", "exports"],
	["entry points", "entryPoints"],
	["empty or binary files", "emptyOrBinary"],
];
const NUMERIC = ["value", "files", "lines", "exports", "imports"];

export function renderPartReport(report: PartReport): string {
	const { totals } = report;
	return [
		`${TITLE}${code(report.part)}`,
		table(
			["figure", "value"],
			FIGURES.map(([figure, key]) => [figure, String(totals[key])]),
			NUMERIC,
		),
		section("What it is", findings(report.purpose, report.purpose.length)),
		section(
			"Languages",
			rows(
				["language", "files", "lines"],
				report.languages.map((row) => [cell(row.language), String(row.files), String(row.lines)]),
			),
		),
		section("Entry points", findings(report.entryPoints, totals.entryPoints)),
		section(
			"Exports",
			rows(
				["file", "exports"],
				report.exports.map((row) => [codeCell(row.path), String(row.count)]),
			),
		),
		section("TODO and FIXME", findings(report.todos, totals.todos)),
		section(
			"Largest files",
			rows(
				["file", "lines"],
				report.largestFiles.map((row) => [codeCell(row.path), String(row.lines)]),
			),
		),
		section(
			"Imports from other parts",
			rows(
				["part", "imports", "example"],
				report.imports.map((row) => [codeCell(row.part), String(row.count), codeCell(row.example)]),
			),
		),
		section("Notes", report.notes.map((note) => `- ${code(note)}`).join("\n")),
	].join("\n\n");
}

/** The report in `text`, or undefined when it does not have the agreed shape. Text around it is passed over. */
export function parsePartReport(text: string): PartReport | undefined {
	const lines = text.split(/\r?\n/);
	const start = lines.findIndex((line) => line.startsWith(TITLE));
	if (start < 0) return undefined;
	const part = readCell((lines[start] ?? "").slice(TITLE.length));
	const sections = splitSections(lines.slice(start + 1));
	const totals = readTotals(sections.get("") ?? []);
	if (!totals) return undefined;
	const section = (heading: string) => sections.get(heading) ?? [];
	return {
		part,
		totals,
		purpose: readFindings(section("What it is")),
		languages: tableRows(section("Languages")).map(([language, files, count]) => ({
			language: readCell(language ?? ""),
			files: readCount(files) ?? 0,
			lines: readCount(count) ?? 0,
		})),
		entryPoints: readFindings(section("Entry points")),
		exports: tableRows(section("Exports")).map(([path, count]) => ({
			path: readCell(path ?? ""),
			count: readCount(count) ?? 0,
		})),
		todos: readFindings(section("TODO and FIXME")),
		largestFiles: tableRows(section("Largest files")).map(([path, count]) => ({
			path: readCell(path ?? ""),
			lines: readCount(count) ?? 0,
		})),
		imports: tableRows(section("Imports from other parts")).map(([name, count, example]) => ({
			part: readCell(name ?? ""),
			count: readCount(count) ?? 0,
			example: readCell(example ?? ""),
		})),
		notes: section("Notes").flatMap((line) => {
			const note = /^- (.*)$/.exec(line)?.[1];
			return note === undefined ? [] : [readCell(note)];
		}),
	};
}

function section(heading: string, body: string): string {
	return `## ${heading}\n\n${body || "(none)"}`;
}

function rows(columns: readonly string[], cells: readonly (readonly string[])[]): string {
	return cells.length === 0 ? "" : table(columns, cells, NUMERIC);
}

function findings(list: readonly Finding[], total: number): string {
	const lines = list.map(({ place, text }) => `- ${code(place)}: ${code(text)}`);
	if (total > list.length) lines.push(`- and ${total - list.length} more`);
	return lines.join("\n");
}

function splitSections(lines: readonly string[]): Map<string, string[]> {
	const sections = new Map<string, string[]>([["", []]]);
	let heading = "";
	for (const line of lines) {
		const next = /^## (.*?)\s*$/.exec(line)?.[1];
		if (next !== undefined) {
			heading = next;
			sections.set(heading, []);
		} else sections.get(heading)?.push(line);
	}
	return sections;
}

function readTotals(lines: readonly string[]): PartTotals | undefined {
	const figures = new Map(tableRows(lines).map(([figure, value]) => [figure ?? "", readCount(value)]));
	if (figures.get("files") === undefined || figures.get("lines") === undefined) return undefined;
	const read = (figure: string) => figures.get(figure) ?? 0;
	return {
		files: read("files"),
		lines: read("lines"),
		todos: read("TODO/FIXME"),
		exports: read("exports"),
		entryPoints: read("entry points"),
		emptyOrBinary: read("empty or binary files"),
	};
}

function readFindings(lines: readonly string[]): Finding[] {
	return lines.flatMap((line) => {
		const place = line.startsWith("- ") ? takeCode(line.slice(2).trimEnd()) : undefined;
		return place?.rest.startsWith(": ") ? [{ place: place.value, text: readCell(place.rest.slice(2)) }] : [];
	});
}
