// A view of the tree through tool calls: what lies in a folder, and searches that are divided where a result was cut.
// Every function answers with what is known so far and leaves the calls it still needs with the asker.

import { counted } from "./markdown.ts";
import { isSkippedFolder, type Scope, scopeHolds } from "./parts.ts";
import { findPrefix, isMoved, readFolder, readGlob, readLines } from "./read-results.ts";
import type { Asker } from "./steps.ts";
import { globCall, grepCall, listCall, type Search } from "./tree-calls.ts";

export interface Tree {
	readonly root: string;
	readonly asker: Asker;
	/** What could not be seen, in words; filled as the tree is looked at. */
	readonly notes: Set<string>;
	/** What lies in the root, where that is known: tells a root from a folder of the same name inside it. */
	readonly topNames?: ReadonlySet<string>;
}

/** A scope and how many files it holds. */
export interface SizedScope {
	readonly scope: Scope;
	readonly size: number;
}

export interface ListedScope {
	/** Relative to the tree; the newest where the list was cut. */
	readonly files: readonly string[];
	readonly total: number;
	readonly isCut: boolean;
	readonly prefix: string;
	readonly error?: string;
}

/** Enough for some hundred thousand files; a tree that needs more is reported as far as it was seen. */
const MAX_CALLS = 600;
// Divides the files of one folder by the first character of their names.
const NAME_BUCKETS = [
	...["[0-4]*", "[5-9]*", "[a-cA-C]*", "[d-fD-F]*", "[g-iG-I]*", "[j-mJ-M]*", "[n-qN-Q]*", "[r-tR-T]*", "[u-zU-Z]*"],
	"[!0-9a-zA-Z]*",
];

/** The files of a scope; undefined while they have not been asked for. */
export function listScope(tree: Tree, scope: Scope): ListedScope | undefined {
	const answer = tree.asker.ask(globCall(tree.root, scope));
	if (!answer) return undefined;
	const error = isMoved(answer) ? "the list did not fit into the conversation" : answer.text;
	if (answer.isError || isMoved(answer)) return { files: [], total: 0, isCut: false, prefix: "", error };
	const { paths, total, isCut } = readGlob(answer);
	const isTop = (name: string) => tree.topNames?.has(name) ?? true;
	const fits = (path: string) => scopeHolds(scope, path) && isTop(path.split("/", 1)[0] ?? "");
	const prefix = findPrefix(paths, tree.root, fits);
	return { files: paths.map((path) => path.slice(prefix.length)), total, isCut, prefix };
}

/** The subfolders of a folder and its own files, each with its size; undefined while calls are missing. */
export function divideFolder(tree: Tree, folder: string): SizedScope[] | undefined {
	const whole = listScope(tree, { path: folder, depth: "all" });
	if (!whole) return undefined;
	if (!whole.isCut) return groupFiles(folder, whole.files);
	const names = subfoldersOf(tree, folder, whole.files);
	if (!names) return undefined;
	const inside = folder === "" ? "" : `${folder}/`;
	const scopes: Scope[] = [
		...names.map((name) => ({ path: inside + name, depth: "all" }) as const),
		{ path: folder, depth: "direct" },
	];
	const listed = scopes.map((scope) => ({ scope, list: listScope(tree, scope) }));
	if (listed.some(({ list }) => !list)) return undefined;
	return listed.map(({ scope, list }) => ({ scope, size: list?.total ?? 0 })).filter(({ size }) => size > 0);
}

/**
 * The result lines of a search in a scope, each with the prefix of `prefix` still on it. Where a result was cut,
 * the search is made again in pieces, unless the first lines are enough.
 */
export function searchScope(tree: Tree, scope: Scope, search: Search, prefix: string, names?: string): string[] {
	const answer = tree.asker.ask(grepCall(tree.root, scope, search, prefix, names));
	if (!answer) return [];
	const where = scope.path || "the root";
	if (answer.isError) {
		tree.notes.add(`grep in ${where} failed: ${answer.text}`);
		return [];
	}
	const { lines, isCut, notes } = readLines(answer);
	for (const note of notes) tree.notes.add(note);
	if (!isCut || search.limit !== undefined) return [...lines];
	if (names === undefined && tree.asker.madeCount < MAX_CALLS) {
		if (scope.depth === "direct") {
			return NAME_BUCKETS.flatMap((bucket) => searchScope(tree, scope, search, prefix, bucket));
		}
		const pieces = scope.pieces ?? divideFolder(tree, scope.path)?.map((piece) => piece.scope) ?? [];
		return pieces.flatMap((piece) => searchScope(tree, piece, search, prefix));
	}
	tree.notes.add(`a search in ${where} found more than could be read: some figures are too low`);
	return [...lines];
}

function subfoldersOf(tree: Tree, folder: string, files: readonly string[]): string[] | undefined {
	const answer = tree.asker.ask(listCall(tree.root, folder));
	if (!answer) return undefined;
	if (!answer.isError && !isMoved(answer)) return readFolder(answer).folders.filter((name) => !isSkippedFolder(name));
	const seen = groupFiles(folder, files).filter(({ scope }) => scope.depth === "all");
	tree.notes.add(
		`${folder || "the root"} could not be listed whole (${answer.text}); ${counted(seen.length, "subfolder")} seen`,
	);
	return seen.map(({ scope }) => scope.path.slice(folder === "" ? 0 : folder.length + 1));
}

/** Files by the subfolder they lie in, and those of the folder itself last. */
export function groupFiles(folder: string, files: readonly string[]): SizedScope[] {
	const inside = folder === "" ? "" : `${folder}/`;
	const sizes = new Map<string, number>();
	let direct = 0;
	for (const file of files) {
		const slash = file.indexOf("/", inside.length);
		if (slash < 0) direct += 1;
		else sizes.set(file.slice(0, slash), (sizes.get(file.slice(0, slash)) ?? 0) + 1);
	}
	const groups: SizedScope[] = [...sizes].map(([path, size]) => ({ scope: { path, depth: "all" }, size }));
	return direct > 0 ? [...groups, { scope: { path: folder, depth: "direct" }, size: direct }] : groups;
}
