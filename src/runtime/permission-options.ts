// What a program says about permissions.

import type { PermissionMode } from "../permissions/modes.ts";

/** A call that needs a person's word. */
export interface PermissionRequest {
	readonly requestId: string;
	readonly agent: { readonly runId: string; readonly name: string; readonly type: string };
	readonly toolName: string;
	readonly input: unknown;
	/** Why it is asked, in words for the person. */
	readonly message: string;
	/** Rules that would cover this call and its like. */
	readonly suggestions: readonly string[];
}

export type PermissionAnswer = "once" | "conversation" | "always" | { readonly deny: string };

export interface PermissionOptions {
	/** @default "default" */
	readonly mode?: PermissionMode;
	/** Rules in Claude Code's syntax, e.g. `Bash(npm run test *)`, `Edit(src/**)`. */
	readonly allow?: readonly string[];
	readonly ask?: readonly string[];
	readonly deny?: readonly string[];
	/**
	 * Asks a person. Absent = nobody can answer: what would be asked is denied at once.
	 *
	 * **Cancellation**: `signal` aborts when the agent no longer waits.
	 */
	readonly onRequest?: (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>;
}
