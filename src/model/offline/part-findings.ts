// What the searches find in one part: TODOs, entry points, exports, imports from other parts.

import { importedParts } from "./find-imports.ts";
import type { ToolAnswer } from "./history.ts";
import { importPattern, MANIFESTS, MODULE_PATTERN, readModules } from "./import-patterns.ts";
import { type Language, languageOf, PACKAGE_ENTRY, SHEBANG } from "./languages.ts";
import type { PartFiles } from "./part-files.ts";
import type { Finding, PartImports } from "./part-report.ts";
import { type Part, skippedFolderOf } from "./parts.ts";
import { compare } from "./plan-parts.ts";
import { type Match, readCounts, readLines, readMatches } from "./read-results.ts";
import { searchScope, type Tree } from "./tree.ts";
import { grepCall, type Search } from "./tree-calls.ts";

export interface PartFindings {
	/** The first of them. */
	readonly todos: readonly Finding[];
	readonly todoCount: number;
	readonly entryPoints: readonly Finding[];
	/** Files with exports, most first. */
	readonly exports: readonly { readonly path: string; readonly count: number }[];
	readonly imports: readonly PartImports[];
}

const MAX_TODOS = 20;
const MAX_TEXT = 160;
// `.*` takes the rest of the line, so that a line counts once.
const TODO = String.raw`\b(TODO|FIXME)\b.*`;

/** What has been found so far. */
export function searchPart(part: Part, files: PartFiles, tree: Tree): PartFindings {
	const languages = [...new Set([...files.lines.keys()].map(languageOf).filter((known) => known !== undefined))];
	const count = (pattern: string) => countsIn(files, tree, { pattern, mode: "count" });
	const find = (pattern: string, limit?: number) =>
		matchesIn(files, tree, { pattern, mode: "content", ...(limit ? { limit } : {}) });
	const todos = find(TODO, 2 * MAX_TODOS)
		.slice(0, MAX_TODOS)
		.map(toFinding);
	return {
		todos,
		todoCount: sum(count(TODO)),
		entryPoints: find(entryPattern(languages, files)).filter(isEntry).map(toFinding),
		exports: languages
			.flatMap((language) => (language.exports ? exportsOf(language, count(language.exports)) : []))
			.sort((a, b) => b.count - a.count || compare(a.path, b.path)),
		imports: importsOf(part, files, tree, languages, find),
	};
}

function countsIn(files: PartFiles, tree: Tree, search: Search): Map<string, number> {
	const counts = files.scopes.flatMap(({ scope, prefix }) =>
		[...readCounts(searchScope(tree, scope, search, prefix))].map(
			([path, n]) => [path.slice(prefix.length), n] as const,
		),
	);
	return new Map(counts.filter(([path]) => files.lines.has(path)));
}

function matchesIn(files: PartFiles, tree: Tree, search: Search): Match[] {
	return files.scopes
		.flatMap(({ scope, prefix }) =>
			readMatches(searchScope(tree, scope, search, prefix), (path) => files.lines.has(path.slice(prefix.length))).map(
				(match) => ({ ...match, path: match.path.slice(prefix.length) }),
			),
		)
		.filter(({ path }) => files.lines.has(path))
		.sort((a, b) => compare(a.path, b.path) || a.line - b.line);
}

function entryPattern(languages: readonly Language[], files: PartFiles): string {
	const patterns = languages.flatMap(({ entry }) => (entry ? [entry] : []));
	if ([...files.lines.keys()].some(isPackageJson)) patterns.push(PACKAGE_ENTRY);
	return [...new Set([SHEBANG, ...patterns])].map((pattern) => `(?:${pattern})`).join("|");
}

function isEntry({ path, line, text }: Match): boolean {
	if (line === 1 && new RegExp(SHEBANG).test(text)) return true;
	if (isPackageJson(path)) return new RegExp(PACKAGE_ENTRY).test(text);
	const entry = languageOf(path)?.entry;
	return entry !== undefined && new RegExp(entry).test(text);
}

function isPackageJson(path: string): boolean {
	return path === "package.json" || path.endsWith("/package.json");
}

function exportsOf(language: Language, counts: ReadonlyMap<string, number>) {
	return [...counts].filter(([path]) => languageOf(path) === language).map(([path, count]) => ({ path, count }));
}

function importsOf(
	part: Part,
	files: PartFiles,
	tree: Tree,
	languages: readonly Language[],
	find: (pattern: string) => Match[],
): PartImports[] {
	if (part.otherParts.length === 0 || !languages.some(({ imports }) => imports)) return [];
	const own = new Set(files.lines.keys());
	const context = { own: part, others: part.otherParts, files: own, modules: modulesOf(files, tree) };
	const pattern = importPattern(languages, context);
	const found = new Map<string, { count: number; example: string }>();
	for (const match of pattern === undefined ? [] : find(pattern)) {
		for (const name of importedParts(match.path, match.text, context)) {
			const known = found.get(name);
			found.set(name, { count: (known?.count ?? 0) + 1, example: known?.example ?? `${match.path}:${match.line}` });
		}
	}
	return [...found]
		.map(([name, facts]) => ({ part: name, ...facts }))
		.sort((a, b) => b.count - a.count || compare(a.part, b.part));
}

/** Asks for the names that manifests anywhere in the tree give to folders, so that imports by name can be told. */
export function askForModules(tree: Tree): ToolAnswer | undefined {
	const names = `{${MANIFESTS.join(",")}}`;
	const whole = { path: "", depth: "all" } as const;
	return tree.asker.ask(grepCall(tree.root, whole, { pattern: MODULE_PATTERN, mode: "content" }, "", names));
}

function modulesOf(files: PartFiles, tree: Tree): ReadonlyMap<string, string> {
	const answer = askForModules(tree);
	if (!answer || answer.isError) return new Map();
	const prefix = files.scopes[0]?.prefix ?? "";
	const isManifest = (path: string) => MANIFESTS.includes(path.slice(path.lastIndexOf("/") + 1));
	const matches = readMatches(readLines(answer).lines, isManifest)
		.map((match) => ({ ...match, path: match.path.slice(prefix.length) }))
		.filter(({ path }) => skippedFolderOf(path) === undefined);
	return readModules(matches);
}

function toFinding({ path, line, text }: Match): Finding {
	const trimmed = text.trim();
	return { place: `${path}:${line}`, text: trimmed.length > MAX_TEXT ? `${trimmed.slice(0, MAX_TEXT - 1)}…` : trimmed };
}

function sum(counts: ReadonlyMap<string, number>): number {
	return [...counts.values()].reduce((total, count) => total + count, 0);
}
