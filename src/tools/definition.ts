// What a tool is. Tools run in their agent's thread, never on main; they get everything per call
// through ToolContext, because threads share the process's own cwd and environment.

import type { Clock } from "../lib/clock.ts";
import type { AskMain, HiddenPaths } from "../wire/requests.ts";
import type { ProcessRegistry } from "./process-registry.ts";
import type { ReadTracker } from "./read-tracker.ts";
import type { Workspace } from "./workspace.ts";

export { ToolError } from "./tool-error.ts";

/** Anything with zod's `safeParse`: full zod, or zod/mini as the built-in tools use (it loads in 1–2 ms). */
export interface InputSchema<Input> {
	safeParse(value: unknown):
		| { readonly success: true; readonly data: Input }
		| {
				readonly success: false;
				readonly error: {
					readonly issues: readonly {
						readonly path: readonly PropertyKey[];
						readonly message: string;
						readonly code?: string | undefined;
					}[];
				};
		  };
}

export type ToolOutput =
	| string
	| {
			readonly content: string;
			readonly isError?: boolean;
	  };

/** Everything one call may use. Valid for this call only. */
export interface ToolContext {
	readonly toolUseId: string;
	readonly agent: { readonly runId: string; readonly name: string; readonly type: string };
	/** The agent's working folder, absolute; relative paths start here. */
	readonly cwd: string;
	/** Turns a path the model wrote into a real one, or refuses it. */
	readonly workspace: Workspace;
	/** Aborts when the prompt is interrupted or the run is cancelled. A tool must stop on it. */
	readonly signal: AbortSignal;
	readonly clock: Clock;
	/** Environment for child processes; holds no provider credentials. */
	readonly env: Readonly<Record<string, string>>;
	/** Records child process groups so that they die with the run, whatever kills it. */
	readonly processes: ProcessRegistry;
	/** What this agent has read, for the guard against overwriting unseen changes. */
	readonly reads: ReadTracker;
	/** Existing folder for output too long for the history. */
	readonly outputDir: string;
	/** True where the agent may not change anything (explore, plan). */
	readonly readOnly: boolean;
	/** What a search that starts in this folder (real, absolute) must leave out, by the rules in force. */
	hiddenFrom(folder: string): Promise<HiddenPaths>;
	readonly ask: AskMain;
	/** Shows that the call is alive, so that the idle deadline does not end it. */
	touch(): void;
	log(level: "debug" | "info" | "warn" | "error", text: string): void;
}

/** A tool as the registry holds it. */
export interface Tool<Input = unknown> {
	/** `^[a-zA-Z0-9_-]{1,64}$`; snake_case by convention. */
	readonly name: string;
	readonly description: string;
	readonly inputSchema: InputSchema<Input>;
	/** Changes nothing anywhere. Read-only calls of one message run concurrently. */
	readonly readOnly: boolean;
	/** Several calls of one message run at the same time although the tool is not read-only (`task`). @default false */
	readonly concurrent?: boolean;
	/** A longer result goes to a file, and the model gets its start, its end and the path. @default 50_000 */
	readonly maxResultChars?: number;
	/** A few words on what a call does, for progress lines and permission prompts. @default the input's first string */
	summarize?(input: Input): string;
	/**
	 * Does the work.
	 *
	 * **Contract**: what it throws becomes an `is_error` result and never reaches the loop. No synchronous
	 * I/O and no long synchronous work: a blocked thread is ended as `unresponsive`.
	 * **Cancellation**: must settle soon after `context.signal` aborts; the run's grace time bounds it.
	 */
	execute(input: Input, context: ToolContext): Promise<ToolOutput> | ToolOutput;
}
