// Decides which real path a path written by a model stands for, and whether the agent may go there.
// The check alone cannot stop a symlink that is swapped in after it: files/ opens and writes so that it does not matter.

import { isAbsolute, relative, sep } from "node:path";
import { isInside, realPathOf } from "./files/real-path.ts";
import { ToolError } from "./tool-error.ts";

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

export interface WorkspaceOptions {
	/** The agent's working folder, absolute. */
	readonly cwd: string;
	/** Other folders the agent may touch; relative ones start at `cwd`. @default [] */
	readonly additionalDirectories?: readonly string[];
}

export function escapesWorkspace(path: string): ToolError {
	return new ToolError(`Error: path escapes workspace: ${path}`);
}

/** Builds a workspace. The folders need not exist yet; their real paths are taken once, now. */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
	const root = await realPathOf(options.cwd);
	const absolute = (path: string) => (isAbsolute(path) ? path : root + sep + path);
	const added = await Promise.all((options.additionalDirectories ?? []).map((path) => realPathOf(absolute(path))));
	return openWorkspace(root, added);
}

/** A workspace over folders whose real paths are known already, absolute and without symlinks. */
export function openWorkspace(root: string, added: readonly string[]): Workspace {
	const absolute = (path: string) => (isAbsolute(path) ? path : root + sep + path);
	const folders = [root, ...added];
	return {
		root,
		async resolve(path) {
			if (path === "") throw new ToolError("Error: path is required");
			// Never normalised: `link/..` is the parent of where the link leads.
			const realPath = await realPathOf(absolute(path));
			if (!folders.some((folder) => isInside(folder, realPath))) throw escapesWorkspace(path);
			return realPath;
		},
		display(realPath) {
			if (!isInside(root, realPath)) return realPath;
			return relative(root, realPath) || ".";
		},
	};
}
