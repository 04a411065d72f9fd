// A path that a call touches, in every form it goes by: as written and where its links lead.

import { posix } from "node:path";
import { type FileSystem, realPathOf } from "./file-system.ts";
import { namesBelow } from "./names-below.ts";
import type { TreeCopy } from "./tree-copy.ts";

export interface Place {
	/** As the call wrote it. */
	readonly written: string;
	/** Absolute, without `.` and `..`; the first one follows no links, the others are real. */
	readonly forms: readonly [string, ...string[]];
}

/** Where a call's paths start, and what `~` in a tool's path does not mean but in a shell's does. */
export interface PathContext {
	/** The agent's working folder. */
	readonly cwd: string;
	/** The session's working folder: deny rules hold there too when an agent works elsewhere. */
	readonly sessionCwd: string;
	/** Set when the agent works in a copy of the session's working tree. */
	readonly copy?: TreeCopy | undefined;
	readonly homeDir: string;
	readonly files: FileSystem;
	/** Deny and ask rules do not tell `.ENV` from `.env`: so do some file systems. */
	readonly ignoreCase: boolean;
}

/** The place that `written` names, seen from `cwd`. */
export function placeOf(written: string, cwd: string, files: FileSystem): Place {
	const plain = trimSlash(posix.resolve(cwd, written));
	const forms = new Set([plain]);
	for (const path of [written, plain]) {
		const real = realPathOf(path, cwd, files);
		if (real !== undefined) forms.add(real);
	}
	return { written, forms: [plain, ...[...forms].filter((form) => form !== plain)] };
}

/** Whether every form of the place is in one of the folders, links in the folders' own paths resolved. */
export function isInside(place: Place, folders: readonly string[], files: FileSystem): boolean {
	const roots = folders.flatMap((folder) => placeOf(folder, "/", files).forms);
	return place.forms.every((form) => roots.some((root) => namesBelow(root, form) !== undefined));
}

function trimSlash(path: string): string {
	return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
