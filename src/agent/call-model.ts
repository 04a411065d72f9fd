// One model call as the loop makes it: counted, metered, and ended by an abort at once.
// Retries of the same call are the gateway's (model/); what happens after a failure is model-turn.ts's.

import { isClowderError, messageOf } from "../errors.ts";
import type { ModelReply, ModelRequest } from "../wire/model-call.ts";
import { tokensOf } from "./agent-state.ts";
import { byteSizeOf } from "./context-gauge.ts";
import type { AgentDeps } from "./types.ts";
import { untilAborted } from "./until-aborted.ts";

export type CallResult =
	| { readonly kind: "replied"; readonly reply: ModelReply }
	/** `code` is the ClowderError's; absent for anything else that was thrown. */
	| { readonly kind: "failed"; readonly code: string | undefined; readonly error: string }
	| { readonly kind: "aborted" };

export interface CallOptions {
	readonly messagesJson: readonly string[];
	readonly maxTokens: number;
	readonly signal: AbortSignal;
	readonly toolFree?: boolean;
	/** Shows the text as it arrives, where the agent's init asks for that. */
	readonly visible: boolean;
}

/** Makes one call. Never rejects. */
export async function callModelOnce(deps: AgentDeps, options: CallOptions): Promise<CallResult> {
	const { signal } = options;
	if (signal.aborted) return { kind: "aborted" };
	const request = buildRequest(deps, options);
	const bytes = requestBytes(deps, request.messagesJson);
	deps.meter.turn();
	deps.meter.phase("model");
	try {
		const call = deps.callModel(request, {
			signal,
			onDelta: (text) => {
				deps.meter.touch();
				if (options.visible && deps.deltas) deps.emit({ type: "text-delta", text });
			},
			onRetry: ({ attempt, delayMs, message }) => {
				deps.meter.touch();
				// A first attempt is held back by the failure of a call before, which is not this call's.
				const pause = `Calls to the model wait ${Math.ceil(delayMs / 1000)} s, after one that failed`;
				const detail = attempt === 1 ? pause : `Attempt ${attempt}: ${message}`;
				if (options.visible) deps.emit({ type: "text-reset", detail });
			},
		});
		const outcome = await untilAborted(call, { signal, clock: deps.clock });
		if (outcome.kind === "abandoned") return { kind: "aborted" };
		noteReply(deps, outcome.value, bytes);
		if (outcome.value.stopReason === "model_context_window_exceeded") deps.state.gauge.noteTooLong(bytes);
		return { kind: "replied", reply: outcome.value };
	} catch (thrown) {
		if (signal.aborted) return { kind: "aborted" };
		const code = isClowderError(thrown) ? thrown.code : undefined;
		if (code === "ERR_PROMPT_TOO_LONG") deps.state.gauge.noteTooLong(bytes);
		return { kind: "failed", code, error: messageOf(thrown) };
	}
}

// A turn asks several times for the size of the same history, whose array is a new one after every change.
const sizes = new WeakMap<readonly string[], number>();

/** Size of a whole request. `messagesJson` is one agent's, whose system prompt and tools stay the same. */
export function requestBytes(
	{ system, toolsJson }: Pick<AgentDeps, "system" | "toolsJson">,
	messagesJson: readonly string[],
): number {
	const known = sizes.get(messagesJson);
	if (known !== undefined) return known;
	const bytes = byteSizeOf([system, toolsJson]) + byteSizeOf(messagesJson);
	sizes.set(messagesJson, bytes);
	return bytes;
}

function buildRequest(deps: AgentDeps, { messagesJson, maxTokens, toolFree, visible }: CallOptions): ModelRequest {
	const { runId, name, agentType, row, epoch } = deps.identity;
	deps.state.calls += 1;
	return {
		caller: { runId, name, agentType, row, epoch, turn: deps.state.calls },
		model: deps.model,
		system: deps.system,
		toolsJson: deps.toolsJson,
		messagesJson,
		maxTokens,
		...(toolFree ? { toolFree } : {}),
		...(visible && deps.deltas ? { deltas: true } : {}),
	};
}

function noteReply(deps: AgentDeps, reply: ModelReply, bytes: number): void {
	const { input, output } = tokensOf(reply);
	const { spent } = deps.state;
	deps.state.spent = { turns: spent.turns, tokens: spent.tokens + input + output, usd: spent.usd + reply.costUsd };
	deps.state.gauge.noteReply(bytes, input);
	deps.meter.reply(reply);
}
