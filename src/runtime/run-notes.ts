// What main remembers of a live run that is not part of its record.

export interface RunNote {
	/** The model it was started with, or asked for. */
	readonly model?: string;
	/** In the place of its agent type's own prompt. */
	readonly systemPrompt?: string;
	readonly outputSchemaJson?: string;
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
