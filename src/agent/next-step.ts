// What follows a reply: another turn with something to read, or the end of the prompt.

import type { ToolUseBlock } from "../wire/conversation.ts";
import type { RunOutcome } from "../wire/run.ts";
import { systemNote } from "./added-text.ts";
import { isToolUse, textBlock, textOf } from "./blocks.ts";
import { checkOutput, outputErrorNote } from "./check-output.ts";
import { isCut } from "./clean-reply.ts";
import { endDone, endEarly, INTERRUPTED_NOTE } from "./end-prompt.ts";
import type { ModelTurn } from "./model-turn.ts";
import type { PromptProgress } from "./prompt-progress.ts";
import { askStopHooks } from "./stop-hooks.ts";
import { runToolCalls } from "./tool-batch.ts";
import { notRun } from "./tool-call.ts";
import type { Opening } from "./turn-boundary.ts";
import type { AgentDeps } from "./types.ts";

const MAX_CONTINUATIONS = 3;

type Reply = Extract<ModelTurn, { kind: "replied" }>;

export type NextStep =
	| { readonly kind: "continue"; readonly opening: Opening }
	| { readonly kind: "end"; readonly outcome: RunOutcome; readonly opening?: Opening };

/** Runs the calls of a committed reply, or decides what its words mean. */
export async function decideNextStep(
	deps: AgentDeps,
	progress: PromptProgress,
	reply: Reply,
	signal: AbortSignal,
): Promise<NextStep> {
	noteText(progress, reply);
	const calls = reply.content.filter(isToolUse);
	if (isCut(reply.stopReason)) {
		progress.continuations += 1;
		if (progress.continuations > MAX_CONTINUATIONS) return endCut(progress, calls);
	} else {
		progress.continuations = 0;
		progress.maxTokens = deps.maxTokens;
	}
	return calls.length > 0
		? afterCalls(deps, progress, reply, calls, signal)
		: afterWords(deps, progress, reply, signal);
}

async function afterCalls(
	deps: AgentDeps,
	progress: PromptProgress,
	reply: Reply,
	calls: readonly ToolUseBlock[],
	signal: AbortSignal,
): Promise<NextStep> {
	const batch = await runToolCalls(deps, calls, { signal, cutCallId: reply.cutCallId });
	const blocks = [...batch.results, ...batch.contexts.map(textBlock)];
	if (batch.stop === undefined || signal.aborted) return { kind: "continue", opening: { blocks } };
	const outcome = endEarly(progress, "interrupted", `A hook stopped the turn: ${batch.stop}`);
	return { kind: "end", opening: { blocks: [...blocks, textBlock(INTERRUPTED_NOTE)] }, outcome };
}

async function afterWords(
	deps: AgentDeps,
	progress: PromptProgress,
	reply: Reply,
	signal: AbortSignal,
): Promise<NextStep> {
	if (reply.stopReason === "refusal") return end(endEarly(progress, "refused", "The model refused to answer"));
	if (isCut(reply.stopReason)) return tell(CONTINUE_CUT);
	if (reply.stopReason === "pause_turn") return tell(CONTINUE_PAUSED);
	let finalText = progress.lastTurnText;
	if (deps.outputSchemaJson !== undefined) {
		const check = await checkOutput(finalText, deps.outputSchemaJson);
		if (check.kind === "bad-schema") return end(endEarly(progress, "empty-result", check.error));
		if (check.kind === "invalid") return retryOutput(progress, check.errors, deps.outputSchemaJson);
		finalText = check.json;
	}
	const goOn = await askStopHooks(deps, progress, finalText, signal);
	return goOn === undefined ? end(endDone(deps, finalText)) : tell(goOn);
}

// The words of a cut or paused reply and of its continuation are one text.
function noteText(progress: PromptProgress, { content, stopReason }: Reply): void {
	const text = textOf(content);
	const whole = progress.pieces.join("") + text;
	const goesOn = isCut(stopReason) || stopReason === "pause_turn";
	progress.pieces = goesOn && !content.some(isToolUse) ? [...progress.pieces, text] : [];
	progress.lastTurnText = whole;
	if (whole !== "") progress.lastText = whole;
}

function retryOutput(progress: PromptProgress, errors: string, schemaJson: string): NextStep {
	if (progress.schemaRetried) {
		return end(endEarly(progress, "empty-result", `The result does not satisfy the output schema:\n${errors}`));
	}
	progress.schemaRetried = true;
	return tell(outputErrorNote(errors, schemaJson));
}

// Calls of a reply after which the prompt ends are not run; their results say so.
function endCut(progress: PromptProgress, calls: readonly ToolUseBlock[]): NextStep {
	const error = `The reply was cut off at the output limit ${MAX_CONTINUATIONS + 1} times in a row`;
	const outcome = endEarly(progress, "provider-error", error);
	const results = calls.map((call) => notRun(call, "the prompt ended, because replies were cut off too often"));
	return { kind: "end", outcome, opening: { blocks: results } };
}

function end(outcome: RunOutcome): NextStep {
	return { kind: "end", outcome };
}

function tell(text: string): NextStep {
	return { kind: "continue", opening: { blocks: [textBlock(text)] } };
}

const CONTINUE_CUT = systemNote(
	"Your reply was cut off at the output limit. Go on exactly where it stopped: no apology, no repetition. " +
		"Do the rest in smaller steps.",
);
const CONTINUE_PAUSED = systemNote("Go on where you paused.");
