// What the gateway drives: one interface for Claude, scripts and the offline rules.
// A provider makes one attempt; retry, the rate gate, the idle watchdog, credit and cancel are the gateway's.

import type { Usage } from "../wire/conversation.ts";
import type { ModelReply, ModelRequest } from "../wire/model-call.ts";

export interface AttemptHooks {
	readonly signal: AbortSignal;
	/** Text as it arrives. */
	onText(text: string): void;
	/** Anything at all arrived (also pings and tool input): feeds the idle watchdog. */
	onActivity(): void;
	/** What the attempt has used so far; the last report counts when the attempt ends without a reply. */
	onUsage?(usage: Usage): void;
}

export type AttemptReply = Omit<ModelReply, "costUsd" | "durationMs">;

export interface ModelProvider {
	/** Scopes the rate gate: provider, account and model, never the key itself. */
	gateKey(request: ModelRequest): string;
	/**
	 * Makes one attempt.
	 *
	 * @throws ClowderError with an `ERR_MODEL_*` or ERR_PROMPT_TOO_LONG code; `details.retryAfterMs` where the
	 * provider named a delay, `details.status` where there was an HTTP status, `details.retryable: false` where
	 * the provider said that trying again is useless.
	 */
	attempt(request: ModelRequest, hooks: AttemptHooks): Promise<AttemptReply>;
}
