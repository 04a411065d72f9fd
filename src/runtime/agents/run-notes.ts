// What main remembers of a live run that is not part of its record.

import type { Worktree } from "../../worktrees/worktree.ts";

export interface RunNote {
	/** The model it was started with, or asked for. */
	readonly model?: string;
	/** In the place of its agent type's own prompt. */
	readonly systemPrompt?: string;
	readonly outputSchemaJson?: string;
	/** What the hooks of a beginning session say to it. */
	readonly startContext?: Promise<string | undefined>;
	/** How it is kept apart from the others. */
	readonly isolation?: "worktree";
	/** The folder it works in, and whose copy that is part of. Absent = the session's. */
	readonly cwd?: string;
	readonly worktree?: Worktree;
}

export interface RunNotes {
	of(runId: string): RunNote;
	note(runId: string, facts: RunNote): void;
	forget(runId: string): void;
}

export function createRunNotes(): RunNotes {
	const notes = new Map<string, RunNote>();
	return {
		of: (runId) => notes.get(runId) ?? {},
		note: (runId, facts) => void notes.set(runId, { ...notes.get(runId), ...facts }),
		forget: (runId) => void notes.delete(runId),
	};
}
