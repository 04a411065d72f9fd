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
