// What bash takes, and what it asks of main for a command in the background.

import * as z from "zod/mini";
import type { RequestParams } from "../../wire/requests.ts";
import { optionalCount, optionalFlag, optionalText, requiredText } from "../input-fields.ts";

export const BASH_NAME = "bash";

export const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 3_600_000;

export const bashInputSchema = z.object({
	command: requiredText("command", "Command line for bash"),
	timeout_ms: optionalCount("timeout_ms", `Time the command may take, in ms; ${DEFAULT_TIMEOUT_MS} if absent`, {
		minimum: 1,
		maximum: MAX_TIMEOUT_MS,
	}),
	run_in_background: optionalFlag("run_in_background", "Starts a job and answers at once with its id"),
	description: optionalText("description", "What the command does, in a few words"),
});
export type BashInput = z.infer<typeof bashInputSchema>;

/** The job starts where main knows the agent to work. */
export function jobRequest(
	{ command, description, timeout_ms }: BashInput,
	toolUseId: string,
): RequestParams<"room-call"> {
	const input = { command, ...(description ? { description } : {}), ...(timeout_ms ? { timeout_ms } : {}) };
	return { room: "background", name: "start_job", toolUseId, input };
}
