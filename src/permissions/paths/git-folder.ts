// Which repository git takes for its own when it is started in a folder. One whose settings came with somebody's files
// makes git run the programs that those settings name.

import { posix } from "node:path";
import type { FileSystem } from "./file-system.ts";

/**
 * Whether git, looking upwards from `folder`, comes to a folder that is a repository by itself (a bare one, or one that
 * borrows from another) before it comes to a working tree.
 */
export function mayObeyForeignSettings(folder: string, files: FileSystem): boolean {
	const has = (path: string) => files.kindOf(path) !== "missing";
	for (let at = folder; ; at = posix.dirname(at)) {
		if (has(`${at}/.git/HEAD`)) return false;
		if (has(`${at}/.git`) && files.kindOf(`${at}/.git`) !== "folder") return !leadsIntoTree(`${at}/.git`, files);
		if (has(`${at}/HEAD`)) return true;
		if (at === "/" || at === ".") return false;
	}
}

// What git itself makes so (worktrees, submodules) leads into the `.git` of some working tree.
function leadsIntoTree(file: string, files: FileSystem): boolean {
	const target = /^gitdir: (.+)$/.exec(files.firstLine(file) ?? "")?.[1];
	return target !== undefined && /(?:^|\/)\.git\/(?:worktrees|modules)\/./.test(target);
}
