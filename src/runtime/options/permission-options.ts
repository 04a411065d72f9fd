// What a program says about permissions.

import type { PermissionMode } from "../../permissions/modes.ts";
import type { PermissionAnswer, PermissionPrompt } from "../../permissions/prompt.ts";

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
	 * **Contract**: anything but a `PermissionAnswer`, and whatever it throws, denies the call and is told to `onWarning`.
	 * **Cancellation**: `signal` aborts when the agent no longer waits.
	 */
	readonly onRequest?: (prompt: PermissionPrompt, signal: AbortSignal) => Promise<PermissionAnswer>;
}
