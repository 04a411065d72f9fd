// The lead's own look at the tree: how it divides into parts, and what is left out.

import { isSkippedFolder, scopeHolds } from "./parts.ts";
import { type PartsPlan, planParts } from "./plan-parts.ts";
import { isMoved, readFolder } from "./read-results.ts";
import type { Asker } from "./steps.ts";
import { divideFolder, groupFiles, listScope, type Tree } from "./tree.ts";
import { listCall } from "./tree-calls.ts";

export interface TreeView {
	/** Undefined while calls are missing, or after an error. */
	readonly plan: PartsPlan | undefined;
	/** Why the tree cannot be looked at. */
	readonly error?: string;
	/** Folders in the root that are not surveyed. */
	readonly skipped: readonly string[];
	/** What could not be seen, in words. */
	readonly notes: readonly string[];
}

/** What is known of the tree so far; the calls still needed are the asker's. */
export function viewTree(root: string, asker: Asker): TreeView {
	const listing = asker.ask(listCall(root, ""));
	const top = listing && !listing.isError && !isMoved(listing) ? readFolder(listing) : undefined;
	const tree: Tree = {
		root,
		asker,
		notes: new Set(),
		...(top ? { topNames: new Set([...top.folders, ...top.files]) } : {}),
	};
	const skipped = top?.folders.filter((name) => name !== ".git" && isSkippedFolder(name)) ?? [];
	const whole = listScope(tree, { path: "", depth: "all" });
	if (!whole || !listing) return { plan: undefined, skipped, notes: [] };
	if (whole.error !== undefined) return { plan: undefined, error: whole.error, skipped, notes: [] };
	const below = (folder: string) => whole.files.filter((file) => scopeHolds({ path: folder, depth: "all" }, file));
	const plan = planParts(root, (folder) =>
		whole.isCut ? divideFolder(tree, folder) : groupFiles(folder, below(folder)),
	);
	return { plan, skipped, notes: [...tree.notes] };
}
