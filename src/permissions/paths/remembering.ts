// The disk as it was at one moment: a decision looks at the same folders again and again.

import type { FileSystem } from "./file-system.ts";

/** Names that patterns are held against; to look at more would hold up everything else on this thread. */
const MAX_NAMES = 100_000;

/** **Contract**: for one decision; what changes on the disk afterwards is not seen. */
export function rememberingFileSystem(files: FileSystem): FileSystem {
	let left = MAX_NAMES;
	return {
		kindOf: remembered(files.kindOf),
		readLink: remembered(files.readLink),
		list: remembered(files.list),
		firstLine: remembered(files.firstLine),
		spend: (names) => {
			left -= names;
			return left >= 0;
		},
	};
}

function remembered<T>(look: (path: string) => T): (path: string) => T {
	const known = new Map<string, T>();
	return (path) => {
		const before = known.get(path);
		if (before !== undefined || known.has(path)) return before as T;
		const found = look(path);
		known.set(path, found);
		return found;
	};
}
