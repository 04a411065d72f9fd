// A worktree as it is recorded: one agent's own copy of the working tree, with a branch of its own.

import * as z from "zod";

export const worktreeRecordSchema = z.object({
	/** Whose it is: a run's id, or a name that outlives runs. */
	id: z.string(),
	sessionId: z.string(),
	/** The session that answers for it: its own, or one that found it left behind. */
	finisher: z.string(),
	/** Its folder: absolute, without symlinks. */
	path: z.string(),
	branch: z.string(),
	/** The commit it was made of. */
	base: z.string(),
	/** The top of the working tree it is a copy of. */
	origin: z.string(),
	/** The same folder in it as the session's is in the repository. */
	cwd: z.string(),
	/**
	 * `making`: nobody has worked in it yet, and its files may not all be there. `kept`: finished, and left to the person
	 * because it holds something.
	 */
	status: z.enum(["making", "open", "kept"]),
});
export type WorktreeRecord = z.infer<typeof worktreeRecordSchema>;

/** An agent's own copy of the working tree. */
export type Worktree = Omit<WorktreeRecord, "status" | "finisher">;

/** What became of a worktree when its agent was done. */
export interface FinishedWorktree {
	readonly kept: boolean;
	/** Why it was kept, in a few words. */
	readonly reason?: string;
}

const MAX_NAME_CHARS = 40;

/** `fix-the-parser-3f9c21ab`: safe as a file name and as the end of a branch's. */
export function worktreeName(name: string): string {
	const plain = name
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.slice(0, MAX_NAME_CHARS)
		.replace(/^-+|-+$/g, "");
	return `${plain || "agent"}-${crypto.randomUUID().slice(0, 8)}`;
}
