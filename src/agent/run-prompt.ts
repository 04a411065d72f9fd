// The agent loop: one prompt, or one wake-up, from its first user message to its end. Runs in the agent's thread
// and knows nothing of threads; everything it needs comes in as AgentDeps, everything it does is in the history.
//
//   openPrompt ─ UserPromptSubmit
//   ┌► commitBoundary        user message: prompt or results · hook text · mail (acknowledged here) · reminders
//   │  compactIfNearlyFull   PreCompact                          maybe history replaced
//   │  turn-started          caller.turn goes up with every model call
//   │  callModel             text-delta* text-reset*             meter.reply
//   │  commit                assistant message, before any of its calls runs
//   │  runToolCalls          per call: tool-started · PreToolUse · permission · execute · PostToolUse · tool-finished
//   └─ calls, cut, paused, hook says go on ── else: output schema · Stop or SubagentStop ── RunOutcome
//
// On a cap the boundary carries a last note and one tool-free turn follows. On an abort the results that are there,
// and an error for each call without one, are committed before the outcome is returned.

import type { RunOutcome } from "../wire/run.ts";
import { isToolUse, textOf } from "./blocks.ts";
import { type Cap, findCap } from "./caps.ts";
import { endEarly, endStopped } from "./end-prompt.ts";
import { type ModelTurn, takeModelTurn } from "./model-turn.ts";
import { decideNextStep } from "./next-step.ts";
import { openPrompt } from "./open-prompt.ts";
import { type PromptProgress, startProgress } from "./prompt-progress.ts";
import { commitBoundary, commitUserMessage, type Opening } from "./turn-boundary.ts";
import type { AgentDeps } from "./types.ts";
import { isBlank } from "./well-formed.ts";

/**
 * Works on one prompt. `prompt` undefined: the agent was woken and works on its mail.
 *
 * **Contract**: one at a time per conversation. Failures of models, tools and hooks are outcomes; it rejects only
 * for a bug (ERR_HISTORY). Reasons it gives: `done`, `interrupted`, `cancelled`, `max-turns`, `budget`,
 * `provider-error`, `refused` (by the model, or by a hook before the model saw the prompt), `empty-result` (a subagent
 * said nothing, or the output schema is not satisfied).
 * **Cancellation**: abort with an InterruptReason to keep the agent, with anything else to end it. The outcome comes
 * within half of `limits.graceMs`; the history is valid then.
 */
export async function runPrompt(deps: AgentDeps, prompt: string | undefined, signal: AbortSignal): Promise<RunOutcome> {
	try {
		const opened = await openPrompt(deps, prompt, signal);
		if (opened.kind === "ended") return opened.outcome;
		return await takeTurns(deps, opened.opening, signal);
	} finally {
		deps.meter.phase("idle");
	}
}

async function takeTurns(deps: AgentDeps, first: Opening, signal: AbortSignal): Promise<RunOutcome> {
	const progress = startProgress(deps);
	let opening = first;
	for (;;) {
		if (signal.aborted) return endStopped(deps, progress, opening, signal);
		const cap = findCap(deps.limits, deps.state.spent, progress.baseline);
		await commitBoundary(deps, opening, cap);
		if (cap) return wrapUp(deps, progress, cap, signal);
		const turn = await takeModelTurn(deps, progress, { signal });
		if (turn.kind === "aborted") return endStopped(deps, progress, { blocks: [] }, signal);
		if (turn.kind === "failed") return endEarly(progress, turn.reason, turn.error);
		const reply = turn.stopReason === "refusal" ? withoutCalls(turn) : turn;
		commitReply(deps, reply);
		const next = await decideNextStep(deps, progress, reply, signal);
		if (next.kind === "continue") {
			opening = next.opening;
			continue;
		}
		if (next.opening) await commitUserMessage(deps, next.opening, []);
		return next.outcome;
	}
}

async function wrapUp(deps: AgentDeps, progress: PromptProgress, cap: Cap, signal: AbortSignal): Promise<RunOutcome> {
	const turn = await takeModelTurn(deps, progress, { signal, toolFree: true });
	if (turn.kind === "aborted") return endStopped(deps, progress, { blocks: [] }, signal);
	const error = `Stopped at the limit of ${cap.limit}`;
	if (turn.kind === "failed") return endEarly(progress, cap.reason, `${error}; the last summary failed: ${turn.error}`);
	const reply = withoutCalls(turn);
	commitReply(deps, reply);
	const text = textOf(reply.content);
	if (!isBlank(text)) progress.lastText = text;
	return endEarly(progress, cap.reason, error);
}

// A model may call tools although it was told not to; without words nothing of such a reply is kept.
function withoutCalls<Reply extends Extract<ModelTurn, { kind: "replied" }>>(reply: Reply): Reply {
	const content = reply.content.filter((block) => !isToolUse(block));
	return { ...reply, content: isBlank(textOf(content)) ? [] : content };
}

function commitReply(deps: AgentDeps, { content }: Extract<ModelTurn, { kind: "replied" }>): void {
	if (content.length > 0) deps.conversation.commit([{ role: "assistant", content }], []);
}
