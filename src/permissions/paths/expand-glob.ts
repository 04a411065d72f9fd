// Which paths a shell glob stands for right now, so that `cat *` is judged by the files it would read.

import { posix } from "node:path";
import type { FileSystem } from "./file-system.ts";
import { matchesSegment, parseSegmentGlob } from "./segment-glob.ts";

const MAX_PATHS = 2_000;

/** The paths, or undefined when there are too many to tell. The pattern itself is one of them, as in bash. */
export function expandGlob(pattern: string, cwd: string, files: FileSystem): readonly string[] | undefined {
	let paths = [pattern.startsWith("/") ? "/" : cwd];
	for (const part of pattern.split("/").filter((name) => name !== "")) {
		const glob = parseSegmentGlob(part);
		const { literal } = glob;
		if (literal !== undefined) {
			// Kept unresolved: a link before `..` leads elsewhere.
			paths = paths.map((path) => `${path === "/" ? "" : path}/${literal}`);
			continue;
		}
		const found = paths.flatMap((path) =>
			namesIn(path, part, files)
				.filter((name) => matchesSegment(glob, name))
				.map((name) => posix.join(path, name)),
		);
		if (found.length > MAX_PATHS) return undefined;
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
