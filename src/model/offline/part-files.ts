// The files of one part and their lines, from glob and grep.

import { type Part, type Scope, scopeHolds, skippedFolderOf } from "./parts.ts";
import { readCounts } from "./read-results.ts";
import { listScope, searchScope, type Tree } from "./tree.ts";

export interface SearchedScope {
	readonly scope: Scope;
	/** What tool results put before a path of the tree. */
	readonly prefix: string;
}

export interface PartFiles {
	/** Text files and their lines, in the order of their paths. */
	readonly lines: ReadonlyMap<string, number>;
	/** Empty and binary files that are known by name. */
	readonly others: readonly string[];
	readonly total: number;
	/** Where to search on. */
	readonly scopes: readonly SearchedScope[];
}

/** More folders than this are looked at together, as the tree without the other parts. */
const MAX_SCOPES = 8;
const SAFE_IN_GLOB = /^[\w./@+ -]+$/;

/** What is known of the part's files so far. */
export function listPart(part: Part, tree: Tree): PartFiles {
	const listed = new Set<string>();
	const lines = new Map<string, number>();
	const scopes: SearchedScope[] = [];
	let total = 0;
	for (const scope of scopesToSearch(part)) {
		const list = listScope(tree, scope);
		// Everything below a folder can be counted at once; the other calls need the prefix.
		if (!list && scope.depth === "all" && !scope.except) searchScope(tree, scope, LINES, "");
		if (!list) continue;
		if (list.error !== undefined) tree.notes.add(`${scope.path || "the root"} could not be listed: ${list.error}`);
		const own = list.files.filter((file) => holds(part, file));
		for (const file of own) listed.add(file);
		total += list.isCut ? sizeOf(scope, list.total, tree) : own.length;
		if (list.total === 0) continue;
		scopes.push({ scope, prefix: list.prefix });
		for (const [path, count] of readCounts(searchScope(tree, scope, LINES, list.prefix))) {
			const file = path.slice(list.prefix.length);
			if (holds(part, file)) lines.set(file, count);
		}
	}
	const others = [...listed].filter((file) => !lines.has(file));
	return {
		lines: new Map([...lines].sort(byPath)),
		others,
		total: Math.max(total, lines.size + others.length),
		scopes,
	};
}

const LINES = { pattern: "^", mode: "count" } as const;

function scopesToSearch(part: Part): readonly Scope[] {
	if (part.scopes.length <= MAX_SCOPES) return part.scopes;
	const except = part.otherParts.flatMap(({ scopes }) =>
		scopes.filter(({ depth }) => depth === "all").map(({ path }) => path),
	);
	if (!except.every((path) => SAFE_IN_GLOB.test(path))) return part.scopes;
	return [{ path: "", depth: "all", except, pieces: part.scopes }];
}

function holds(part: Part, file: string): boolean {
	return skippedFolderOf(file) === undefined && part.scopes.some((scope) => scopeHolds(scope, file));
}

// The total of a cut list may count files of others; then the pieces are counted one by one.
function sizeOf(scope: Scope, total: number, tree: Tree): number {
	if (!scope.pieces) return total;
	return scope.pieces.reduce((sum, piece) => sum + (listScope(tree, piece)?.total ?? 0), 0);
}

function byPath([a]: readonly [string, number], [b]: readonly [string, number]): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
