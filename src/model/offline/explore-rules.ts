// An explore agent's rules: list and count, search, read a few heads, report. Every figure comes from a tool result.

import { OFFLINE_LINE } from "./about.ts";
import type { MadeCall } from "./history.ts";
import { languageNameOf } from "./languages.ts";
import { code } from "./markdown.ts";
import { listPart, type PartFiles } from "./part-files.ts";
import { askForModules, type PartFindings, searchPart } from "./part-findings.ts";
import { type Finding, type PartReport, renderPartReport } from "./part-report.ts";
import type { Part } from "./parts.ts";
import { compare } from "./plan-parts.ts";
import { readPurpose } from "./purpose.ts";
import { callNext, createAsker, type Step } from "./steps.ts";
import type { Tree } from "./tree.ts";

export interface ExploreSituation {
	readonly part: Part;
	readonly made: readonly MadeCall[];
	/** No more tool calls: report what is known. */
	readonly wrapUp: boolean;
}

const MAX_LISTED = { entryPoints: 10, exports: 5, largestFiles: 5, notes: 20, note: 300 } as const;

export function decideExploreStep({ part, made, wrapUp }: ExploreSituation): Step {
	const asker = createAsker(made);
	const tree: Tree = { root: part.root, asker, notes: new Set() };
	const files = listPart(part, tree);
	if (part.otherParts.length > 0) askForModules(tree);
	if (asker.missing.length > 0 && !wrapUp) return callNext(`Listing ${code(part.name)}.`, asker.missing);
	const findings = searchPart(part, files, tree);
	if (asker.missing.length > 0 && !wrapUp) return callNext(`Searching ${code(part.name)}.`, asker.missing);
	const purpose = readPurpose(files, tree);
	if (asker.missing.length > 0 && !wrapUp) return callNext("Reading what it says of itself.", asker.missing);
	if (asker.missing.length > 0) tree.notes.add("it was cut short by a limit: the figures are those found until then");
	const report = reportOn(part, files, findings, purpose, [...tree.notes]);
	return { kind: "say", text: `${renderPartReport(report)}\n\n${OFFLINE_LINE}` };
}

function reportOn(
	part: Part,
	files: PartFiles,
	findings: PartFindings,
	purpose: readonly Finding[],
	notes: readonly string[],
): PartReport {
	const bySize = [...files.lines].sort(([a, aLines], [b, bLines]) => bLines - aLines || compare(a, b));
	return {
		part: part.name,
		totals: {
			files: files.total,
			lines: bySize.reduce((sum, [, lines]) => sum + lines, 0),
			todos: findings.todoCount,
			exports: findings.exports.reduce((sum, { count }) => sum + count, 0),
			entryPoints: findings.entryPoints.length,
			emptyOrBinary: files.total - files.lines.size,
		},
		purpose,
		languages: languagesOf(files),
		entryPoints: findings.entryPoints.slice(0, MAX_LISTED.entryPoints),
		exports: findings.exports.slice(0, MAX_LISTED.exports),
		todos: findings.todos,
		largestFiles: bySize.slice(0, MAX_LISTED.largestFiles).map(([path, lines]) => ({ path, lines })),
		imports: findings.imports,
		notes: [...(files.total === 0 ? ["no files found"] : []), ...notes]
			.slice(0, MAX_LISTED.notes)
			.map((note) => note.slice(0, MAX_LISTED.note)),
	};
}

function languagesOf(files: PartFiles): PartReport["languages"] {
	const byName = new Map<string, { files: number; lines: number }>();
	const add = (language: string, count: number, lines: number) => {
		const known = byName.get(language) ?? { files: 0, lines: 0 };
		byName.set(language, { files: known.files + count, lines: known.lines + lines });
	};
	for (const [path, lines] of files.lines) add(languageNameOf(path), 1, lines);
	for (const path of files.others) add(languageNameOf(path), 1, 0);
	const unnamed = files.total - files.lines.size - files.others.length;
	if (unnamed > 0) add("empty or binary", unnamed, 0);
	return [...byName]
		.map(([language, size]) => ({ language, ...size }))
		.sort((a, b) => b.lines - a.lines || b.files - a.files || compare(a.language, b.language));
}
