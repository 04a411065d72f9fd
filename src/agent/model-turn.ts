// One turn of the model: compaction where the window is nearly full, the call, and what the loop must not see of
// its trouble: a prompt that is too long (compacted, tried once more) and a reply that was cut off at the output
// limit (asked for once more with more room, without the cut text).

import type { StopReason } from "../wire/model-call.ts";
import { type CallResult, callModelOnce, requestBytes } from "./call-model.ts";
import { type CleanReply, cleanReply } from "./clean-reply.ts";
import { compactAfterTooLong, compactIfNearlyFull } from "./compaction.ts";
import type { PromptProgress } from "./prompt-progress.ts";
import type { AgentDeps } from "./types.ts";

const DEFAULT_CEILING = 64_000;
/** The estimate of what is free may be too low; with less than this no reply is worth having. */
const SMALLEST_REPLY = 1_024;

export type ModelTurn =
	| (CleanReply & { readonly kind: "replied"; readonly stopReason: StopReason })
	| { readonly kind: "failed"; readonly reason: "provider-error" | "budget"; readonly error: string }
	| { readonly kind: "aborted" };

export interface TurnOptions {
	readonly signal: AbortSignal;
	/** The last turn after a cap: the model may only talk. */
	readonly toolFree?: boolean;
}

/** Makes one turn; the reply is cleaned but not yet committed. */
export async function takeModelTurn(
	deps: AgentDeps,
	progress: PromptProgress,
	options: TurnOptions,
): Promise<ModelTurn> {
	await compactIfNearlyFull(deps, options.signal);
	if (options.signal.aborted) return { kind: "aborted" };
	deps.state.spent = { ...deps.state.spent, turns: deps.state.spent.turns + 1 };
	deps.emit({ type: "turn-started", turn: deps.state.calls + 1 });
	const result = await withMoreRoom(deps, progress, options, await callFitting(deps, progress, options));
	if (result.kind === "aborted") return result;
	if (result.kind === "failed") {
		return { kind: "failed", reason: result.code === "ERR_BUDGET" ? "budget" : "provider-error", error: result.error };
	}
	const { stopReason } = result.reply;
	return { kind: "replied", stopReason, ...cleanReply(result.reply, deps.conversation.messages) };
}

async function callFitting(deps: AgentDeps, progress: PromptProgress, options: TurnOptions): Promise<CallResult> {
	const first = await callWith(deps, progress, options);
	const isTooLong =
		(first.kind === "failed" && first.code === "ERR_PROMPT_TOO_LONG") ||
		(first.kind === "replied" && first.reply.stopReason === "model_context_window_exceeded");
	if (!isTooLong) return first;
	const compaction = await compactAfterTooLong(deps, options.signal);
	if (options.signal.aborted) return { kind: "aborted" };
	if (compaction.kind === "compacted") {
		deps.emit({ type: "text-reset", detail: "The conversation was compacted" });
		return callWith(deps, progress, options);
	}
	if (first.kind !== "failed") return first;
	const why = compaction.kind === "unchanged" ? "nothing in it can be compacted" : compaction.error;
	return { ...first, error: `${first.error} (${why})` };
}

async function withMoreRoom(
	deps: AgentDeps,
	progress: PromptProgress,
	options: TurnOptions,
	first: CallResult,
): Promise<CallResult> {
	if (first.kind !== "replied" || first.reply.stopReason !== "max_tokens") return first;
	const larger = Math.min(deps.maxTokens * 2, deps.maxTokensCeiling ?? DEFAULT_CEILING, roomForReply(deps));
	if (progress.continuations > 0 || larger <= progress.maxTokens) return first;
	progress.maxTokens = larger;
	deps.emit({ type: "text-reset", detail: "The reply was cut off and is asked for again with more room" });
	const second = await callWith(deps, progress, options);
	if (second.kind !== "failed") return second;
	// A model that cannot be asked for that much refuses the request: the cut reply is better than none.
	progress.maxTokens = deps.maxTokens;
	return first;
}

function callWith(deps: AgentDeps, progress: PromptProgress, options: TurnOptions): Promise<CallResult> {
	const maxTokens = Math.min(progress.maxTokens, roomForReply(deps));
	return callModelOnce(deps, { messagesJson: deps.conversation.messagesJson, maxTokens, visible: true, ...options });
}

// Providers refuse a request whose input and reply limit together exceed the window.
function roomForReply(deps: AgentDeps): number {
	const input = deps.state.gauge.tokensIn(requestBytes(deps, deps.conversation.messagesJson));
	return Math.max(SMALLEST_REPLY, Math.floor((deps.contextWindow - input) * 0.95));
}
