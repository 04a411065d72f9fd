// What a person sees of an error: one line that says what to do. Never a stack trace.

import { CommanderError } from "commander";
import { isClowderError, messageOf } from "../errors.ts";
import { inFlags } from "./in-flags.ts";
import { plainText } from "./terminal/plain-text.ts";
import type { Terminal } from "./terminal/terminal.ts";

export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130, terminated: 143 } as const;

/** A mistake in how the program was called. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** Writes the line and answers the exit code. */
export function reportFailure(thrown: unknown, terminal: Terminal): number {
	if (thrown instanceof CommanderError) {
		// Commander has written its line; help and version are no failures.
		return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
	}
	terminal.err(`clowder: ${plainText(inFlags(messageOf(thrown), terminal.env)).replace(/\s*\n\s*/g, " ")}\n`);
	return isUsageError(thrown) ? EXIT.usage : EXIT.failed;
}

const USAGE_CODES: readonly string[] = ["ERR_BAD_OPTION", "ERR_PERMISSION_RULE", "ERR_UNKNOWN_AGENT_TYPE"];

/** Whether what was thrown lies in how the program was called. */
export function isUsageError(thrown: unknown): boolean {
	return thrown instanceof UsageError || (isClowderError(thrown) && USAGE_CODES.includes(thrown.code));
}
