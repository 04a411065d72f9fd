// Which paths a shell glob stands for right now, so that `cat *` is judged by the files it would read.

import { posix } from "node:path";
import type { FileSystem } from "./file-system.ts";
import { loosened, matchesSegment, parseSegmentGlob } from "./segment-glob.ts";

const MAX_PATHS = 2_000;

// bash knows these by the language; a name that is no UTF-8 reads differently here.
const CLASSES = /\[[^/]*\[[:=.]/;
const UNREADABLE = "\ufffd";

/**
 * The paths, or undefined when there are too many to tell, or bash may find others. The pattern itself is one of them,
 * as in bash.
 */
export function expandGlob(pattern: string, cwd: string, files: FileSystem): readonly string[] | undefined {
	if (CLASSES.test(pattern)) return undefined;
	let paths = [pattern.startsWith("/") ? "/" : cwd];
	for (const part of pattern.split("/").filter((name) => name !== "")) {
		const glob = parseSegmentGlob(part);
		const { literal } = glob;
		if (literal !== undefined) {
			// Kept unresolved: a link before `..` leads elsewhere.
			paths = paths.map((path) => `${path === "/" ? "" : path}/${literal}`);
			continue;
		}
		// Upstream: in some languages a character is a byte, in none it is half of an emoji.
		const wide = loosened(glob);
		const found: string[] = [];
		for (const path of paths) {
			const names = namesIn(path, part, files);
			if (files.spend?.(1 + names.length * Math.ceil(part.length / 16)) === false) return undefined;
			for (const name of names) {
				if (name.includes(UNREADABLE)) return undefined;
				const isPlain = /^[ -~]*$/.test(name);
				if (matchesSegment(isPlain ? glob : wide, name)) found.push(posix.join(path, name));
			}
			if (found.length > MAX_PATHS) return undefined;
		}
		paths = found;
	}
	return [...paths, pattern.replace(/\\(.)/g, "$1")];
}

// A leading dot must be written, and only then are the two dots of the folder above among the names.
function namesIn(path: string, part: string, files: FileSystem): readonly string[] {
	const names = files.list(path);
	return part.startsWith(".") || part.startsWith("\\.")
		? [...names, ".", ".."]
		: names.filter((name) => !name.startsWith("."));
}
