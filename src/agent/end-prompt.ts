// How a prompt ends, in the words of RunOutcome.

import { messageOf } from "../errors.ts";
import type { RunOutcome } from "../wire/run.ts";
import { systemNote } from "./added-text.ts";
import { textBlock } from "./blocks.ts";
import { isInterruptReason } from "./interrupt-reason.ts";
import type { PromptProgress } from "./prompt-progress.ts";
import { commitUserMessage, type Opening } from "./turn-boundary.ts";
import type { AgentDeps } from "./types.ts";
import { isBlank } from "./well-formed.ts";

const NO_TEXT = "(subagent returned no text)";

/** A natural end. A subagent that says nothing has failed: its parent would make the result up. */
export function endDone(deps: AgentDeps, finalText: string): RunOutcome {
	if (deps.identity.kind !== "subagent" || !isBlank(finalText)) return { reason: "done", finalText };
	return { reason: "empty-result", finalText: NO_TEXT, error: "The last reply held no text" };
}

/** Any other end, with what text there was. */
export function endEarly(progress: PromptProgress, reason: RunOutcome["reason"], error: string): RunOutcome {
	return { reason, finalText: progress.lastText, error };
}

/**
 * An end by the prompt's signal; the history is valid at once. `interrupted` for an InterruptReason,
 * `cancelled` for anything else.
 *
 * Results that are there are kept. After an interrupt the model is told, so that mail which wakes the agent
 * later does not make it take up what the person stopped.
 */
export async function endStopped(
	deps: AgentDeps,
	progress: PromptProgress,
	opening: Opening,
	signal: AbortSignal,
): Promise<RunOutcome> {
	const isInterrupt = isInterruptReason(signal.reason);
	const hasMore = opening.blocks.length > 0 || (opening.mail ?? []).length > 0;
	const isUnanswered = hasMore || deps.conversation.messages.at(-1)?.role === "user";
	await commitUserMessage(deps, opening, isInterrupt && isUnanswered ? [textBlock(INTERRUPTED_NOTE)] : []);
	return endEarly(progress, isInterrupt ? "interrupted" : "cancelled", messageOf(signal.reason));
}

/** Tells the model that what stands above was stopped on purpose. */
export const INTERRUPTED_NOTE = systemNote("This was interrupted here. Do not go on with it unless you are asked to.");
