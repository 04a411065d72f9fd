// What a program says of a run or a lead it starts.

import type { Run } from "../../supervision/run.ts";
import type { RunLimits } from "../../wire/run.ts";

export interface SpawnOptions {
	/** A few words for people: progress lines and lists. */
	readonly description: string;
	/** The whole task; the agent sees nothing else. */
	readonly prompt: string;
	/** @default "general" */
	readonly agentType?: string;
	/** A model id or alias. @default the agent type's, else the supervisor's */
	readonly model?: string;
	/** A zod schema or JSON Schema the result must satisfy; `result.output` is the parsed value. */
	readonly outputSchema?: object;
	/**
	 * `worktree`: it works in a copy of the repository of its own, made from the last commit, on a branch of its own.
	 * Removed with its branch when nothing was done in it; else kept, and named in the result's `record.worktree`.
	 * @default the agent type's
	 */
	readonly isolation?: "worktree";
	/** The run this one belongs to: it is cancelled with it. */
	readonly parent?: Run | string;
	/** Cancels the run when it aborts. */
	readonly signal?: AbortSignal;
	/** Caps of this run; they win over the type's and the supervisor's. */
	readonly limits?: RunLimits;
}

export interface LeadOptions {
	/** Its name on the bus, unique among live agents. @default "lead" */
	readonly name?: string;
	/** @default "general" */
	readonly agentType?: string;
	/** Caps of each prompt. */
	readonly limits?: RunLimits;
	/** A model id or alias. @default the agent type's, else the supervisor's */
	readonly model?: string;
	/** In the place of the agent type's own prompt. */
	readonly systemPrompt?: string;
	/** A JSON Schema or zod schema that each answer must satisfy, as JSON. */
	readonly outputSchema?: object;
}
