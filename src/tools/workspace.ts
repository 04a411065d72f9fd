// Decides which real path a path written by a model stands for, and whether the agent may go there.

/** The folders one agent may touch. */
export interface Workspace {
	/** The agent's working folder, real and absolute. */
	readonly root: string;
	/**
	 * The real absolute path that `path` stands for (relative to `root`; `~` is not expanded). Symlinks are
	 * resolved for every part that exists, so the answer is where a read or write would truly land.
	 *
	 * @throws ToolError `Error: path escapes workspace: PATH` when that is outside `root` and the added folders.
	 */
	resolve(path: string): Promise<string>;
	/** The path as shown to the model: relative to `root` where inside it. */
	display(realPath: string): string;
}
