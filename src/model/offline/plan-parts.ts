// Divides a tree among explore agents. Pure policy: sizes in, parts out.

import { counted } from "./markdown.ts";
import type { NamedScopes, Part, Scope } from "./parts.ts";
import type { SizedScope } from "./tree.ts";

export const MIN_PARTS = 4;
export const MAX_PARTS = 16;

export interface PartsPlan {
	/** Biggest first; the group of small ones, if there is one, is last. */
	readonly parts: readonly Part[];
	/** Names of the pieces that one agent shares, because there were too many for one each. */
	readonly grouped: readonly string[];
}

/** The subfolders of a folder and its own files; undefined while that is not known. */
export type DivideFolder = (folder: string) => readonly SizedScope[] | undefined;

/**
 * Plans the parts of a tree: one per top-level folder and one for the files in the root; a big folder is split by
 * its subfolders while there are fewer than MIN_PARTS; beyond MAX_PARTS the smallest share one. Undefined while
 * `divide` does not know a folder that matters.
 */
export function planParts(root: string, divide: DivideFolder): PartsPlan | undefined {
	let pieces = divide("");
	while (pieces && pieces.length > 0 && pieces.length < MIN_PARTS) {
		const next = splitBiggest(pieces, divide);
		if (next === pieces) break;
		pieces = next;
	}
	if (!pieces) return undefined;
	const bySize = sorted(pieces);
	const single = bySize.length > MAX_PARTS ? bySize.slice(0, MAX_PARTS - 1) : bySize;
	const rest = bySize.slice(single.length);
	const named: NamedScopes[] = single.map(({ scope }) => ({ name: nameOf(scope), scopes: [scope] }));
	if (rest.length > 0) {
		const scopes = rest.map(({ scope }) => scope).sort((a, b) => compare(a.path, b.path));
		named.push({ name: `rest (${counted(scopes.length, "small part")})`, scopes });
	}
	return {
		parts: named.map((part) => ({ root, ...part, otherParts: named.filter((other) => other !== part) })),
		grouped: rest.map(({ scope }) => nameOf(scope)),
	};
}

/** `src`, `src (files)` for the files beside its subfolders, `(root files)` for those in the root. */
function nameOf(scope: Scope): string {
	if (scope.depth === "all") return scope.path;
	return scope.path === "" ? "(root files)" : `${scope.path} (files)`;
}

/** The same pieces when none can be split; undefined while a folder is not known. */
function splitBiggest(pieces: readonly SizedScope[], divide: DivideFolder): readonly SizedScope[] | undefined {
	for (const piece of sorted(pieces)) {
		const forked = forkOf(piece, divide);
		if (!forked) return undefined;
		if (forked.length > 1) return pieces.flatMap((other) => (other === piece ? forked : [other]));
	}
	return pieces;
}

// Goes down while there is one subfolder and nothing beside it (src/main/java/…), to where the files divide.
function forkOf(piece: SizedScope, divide: DivideFolder): readonly SizedScope[] | undefined {
	let pieces: readonly SizedScope[] | undefined = [piece];
	while (pieces?.length === 1 && pieces[0]?.scope.depth === "all") pieces = divide(pieces[0].scope.path);
	return pieces;
}

function sorted(pieces: readonly SizedScope[]): SizedScope[] {
	return [...pieces].sort((a, b) => b.size - a.size || compare(a.scope.path, b.scope.path));
}

/** Plain code-unit order: the same on every machine. */
export function compare(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
