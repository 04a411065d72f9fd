// Merges the reports on the parts of a tree into one Markdown report. Pure: states in, text out.

import { OFFLINE_LINE } from "./about.ts";
import { cell, code, codeCell, counted, table } from "./markdown.ts";
import type { Finding, PartReport } from "./part-report.ts";
import { compare } from "./plan-parts.ts";
import { hasEnded, type SurveyTask } from "./survey-tasks.ts";

export interface Survey {
	readonly root: string;
	readonly tasks: readonly SurveyTask[];
	/** What was left out of the survey, in words. */
	readonly notes: readonly string[];
}

const COLUMNS = ["part", "languages", "files", "lines", "TODO/FIXME", "largest file", "entry points", "exports"];
const NUMERIC = ["files", "lines", "TODO/FIXME", "entry points", "exports"];
const MAX_MATRIX_PARTS = 10;
/** Begins every merged report. */
export const SURVEY_TITLE = "# Survey of ";

export function renderSurveyReport(survey: Survey): string {
	const reports = survey.tasks.flatMap(({ state }) => (state.kind === "reported" ? [state.report] : []));
	const sections = [
		`${SURVEY_TITLE}${code(survey.root)}`,
		summaryOf(survey.tasks, reports),
		table(COLUMNS, [...survey.tasks.map(rowOf), totalRow(reports)], NUMERIC),
		"## Parts",
		...survey.tasks.map(partSection),
		`## Imports between parts\n\n${importsText(reports)}`,
		`## Failures\n\n${failuresText(survey.tasks)}`,
	];
	if (survey.notes.length > 0) sections.push(`## Left out\n\n${survey.notes.map((note) => `- ${note}`).join("\n")}`);
	return [...sections, OFFLINE_LINE].join("\n\n");
}

function summaryOf(tasks: readonly SurveyTask[], reports: readonly PartReport[]): string {
	const figures = [
		counted(sum(reports, "files"), "file"),
		counted(sum(reports, "lines"), "line"),
		`${sum(reports, "todos")} TODO/FIXME`,
		counted(sum(reports, "entryPoints"), "entry point"),
		counted(sum(reports, "exports"), "export"),
	];
	return `${reports.length} of ${counted(tasks.length, "part")} reported: ${figures.join(", ")}.`;
}

function rowOf({ part, state }: SurveyTask): string[] {
	if (state.kind !== "reported") {
		const word = state.kind === "told" ? "see below" : hasEnded(state) ? "failed" : "not finished";
		return [codeCell(part.name), word, ...COLUMNS.slice(2).map(() => "–")];
	}
	const { totals, languages, largestFiles } = state.report;
	const largest = largestFiles[0];
	return [
		codeCell(part.name),
		languages.map(({ language }) => cell(language)).join(", ") || "–",
		String(totals.files),
		String(totals.lines),
		String(totals.todos),
		largest ? `${codeCell(largest.path)} (${largest.lines})` : "–",
		String(totals.entryPoints),
		String(totals.exports),
	];
}

function totalRow(reports: readonly PartReport[]): string[] {
	const total = (key: keyof PartReport["totals"]) => `**${sum(reports, key)}**`;
	const languages = new Set(reports.flatMap((report) => report.languages.map(({ language }) => language)));
	const size = counted(languages.size, "kind");
	return [
		"**total**",
		size,
		total("files"),
		total("lines"),
		total("todos"),
		"",
		total("entryPoints"),
		total("exports"),
	];
}

function sum(reports: readonly PartReport[], key: keyof PartReport["totals"]): number {
	return reports.reduce((total, report) => total + report.totals[key], 0);
}

function partSection({ part, state }: SurveyTask): string {
	const heading = `### ${code(part.name)}`;
	switch (state.kind) {
		case "reported":
			return [heading, ...detailsOf(state.report)].join("\n\n");
		case "told":
			return `${heading}\n\nIt answered in a shape of its own:\n\n${quoted(state.text)}`;
		case "failed":
		case "refused":
			return `${heading}\n\nIt failed: ${code(firstLine(state.reason))}`;
		case "running":
		case "unclear":
			return `${heading}\n\nIt had not reported when this was written.`;
	}
}

function detailsOf(report: PartReport): string[] {
	const { totals } = report;
	const lines = [
		...report.purpose.map(finding),
		listLine(
			"Languages",
			report.languages.map(
				(row) => `${cell(row.language)} (${counted(row.files, "file")}, ${counted(row.lines, "line")})`,
			),
		),
		listLine(
			"Largest files",
			report.largestFiles.map((row) => `${code(row.path)} (${row.lines})`),
		),
		listLine(
			"Most exports",
			report.exports.map((row) => `${code(row.path)} (${row.count})`),
		),
		nested(`Entry points (${totals.entryPoints})`, report.entryPoints, totals.entryPoints),
		nested(`TODO/FIXME (${totals.todos})`, report.todos, totals.todos),
		report.notes.length > 0 ? `- Notes:\n${report.notes.map((note) => `  - ${code(note)}`).join("\n")}` : "",
	].filter((line) => line !== "");
	const odd = totals.emptyOrBinary > 0 ? `, ${totals.emptyOrBinary} of them empty or binary` : "";
	return [`${counted(totals.files, "file")}, ${counted(totals.lines, "line")}${odd}.`, lines.join("\n")];
}

function finding({ place, text }: Finding): string {
	return `- ${code(place)}: ${code(text)}`;
}

function listLine(title: string, items: readonly string[]): string {
	return items.length === 0 ? "" : `- ${title}: ${items.join(", ")}`;
}

function nested(title: string, list: readonly Finding[], total: number): string {
	if (total === 0) return "";
	const lines = list.map((item) => `  ${finding(item)}`);
	if (total > list.length) lines.push(`  - and ${total - list.length} more`);
	return [`- ${title}:`, ...lines].join("\n");
}

function importsText(reports: readonly PartReport[]): string {
	const links = reports.flatMap((report) => report.imports.map((to) => ({ from: report.part, ...to })));
	if (links.length === 0) return "No part was seen to import another.";
	links.sort((a, b) => b.count - a.count || compare(a.from, b.from) || compare(a.part, b.part));
	const list = table(
		["part", "imports from", "lines", "example"],
		links.map((link) => [codeCell(link.from), codeCell(link.part), String(link.count), codeCell(link.example)]),
		["lines"],
	);
	const names = [...new Set(links.flatMap((link) => [link.from, link.part]))].sort(compare);
	if (names.length > MAX_MATRIX_PARTS) return list;
	const count = (from: string, to: string) => links.find((link) => link.from === from && link.part === to)?.count;
	const matrix = table(
		["imports (row from column)", ...names.map(codeCell)],
		names.map((from) => [codeCell(from), ...names.map((to) => (from === to ? "–" : String(count(from, to) ?? 0)))]),
		names.map(codeCell),
	);
	return `${matrix}\n\n${list}`;
}

function failuresText(tasks: readonly SurveyTask[]): string {
	const lines = tasks.flatMap(({ part, state }) => {
		if (state.kind === "failed") return [`- ${code(part.name)}: ${code(state.reason)}`];
		if (state.kind === "refused") return [`- ${code(part.name)} was never started: ${code(state.reason)}`];
		return state.kind === "reported" || state.kind === "told" ? [] : [`- ${code(part.name)} has not ended`];
	});
	return lines.join("\n") || "None.";
}

function quoted(text: string): string {
	return text
		.split("\n")
		.map((line) => `> ${line}`.trimEnd())
		.join("\n");
}

function firstLine(text: string): string {
	return text.split("\n", 1)[0] ?? "";
}
