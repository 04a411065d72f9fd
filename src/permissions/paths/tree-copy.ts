// A working tree that is a copy of another one: what is guarded in the original is guarded in the copy, and what is
// allowed at a place of the project is allowed at the same place of the copy.

import { posix } from "node:path";
import { namesBelow } from "./names-below.ts";

export interface TreeCopy {
	/** The top of the copy. */
	readonly path: string;
	/** The top of the original. */
	readonly origin: string;
}

/** The same place in the copy; undefined for a path outside the original. */
export function inCopy(path: string, copy: TreeCopy | undefined): string | undefined {
	return copy && moved(path, copy.origin, copy.path);
}

/** The same place in the original; undefined for a path outside the copy. */
export function inOrigin(path: string, copy: TreeCopy | undefined): string | undefined {
	return copy && moved(path, copy.path, copy.origin);
}

function moved(path: string, from: string, to: string): string | undefined {
	const names = namesBelow(from, path);
	return names && posix.join(to, ...names);
}
