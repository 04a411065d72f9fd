export interface FileVersion {
	readonly mtimeMs: number;
	readonly size: number;
}

/** Remembers, per agent, which version of a file the agent has seen. */
export interface ReadTracker {
	/** The agent has now seen (or written) this version. */
	note(realPath: string, version: { readonly mtimeMs: number; readonly size: number }): void;
	/** `unread`: never seen. `changed`: seen, but another version. `current`: seen as it is. */
	check(
		realPath: string,
		version: { readonly mtimeMs: number; readonly size: number },
	): "unread" | "changed" | "current";
}

// A file forgotten under this bound only has to be read again.
const MAX_FILES = 10_000;

/** An empty tracker; every agent has its own. It keeps the 10,000 files noted last. */
export function createReadTracker(): ReadTracker {
	const seen = new Map<string, FileVersion>();
	return {
		note(realPath, { mtimeMs, size }) {
			// Order: deleting first moves the file to the end, so that the oldest note is the first key.
			seen.delete(realPath);
			seen.set(realPath, { mtimeMs, size });
			if (seen.size <= MAX_FILES) return;
			for (const oldest of seen.keys()) {
				seen.delete(oldest);
				break;
			}
		},
		check(realPath, { mtimeMs, size }) {
			const version = seen.get(realPath);
			if (!version) return "unread";
			return version.mtimeMs === mtimeMs && version.size === size ? "current" : "changed";
		},
	};
}
