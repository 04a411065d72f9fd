// What one agent remembers from prompt to prompt besides its conversation.

import type { ModelReply } from "../wire/model-call.ts";
import { ContextGauge } from "./context-gauge.ts";

/** Counts that caps are held against. */
export interface Spent {
	readonly turns: number;
	readonly tokens: number;
	readonly usd: number;
}

export interface AgentState {
	/** Model calls made in the agent's life; the next call's `caller.turn` is one more. */
	calls: number;
	/** Over all prompts since the state was built. */
	spent: Spent;
	readonly gauge: ContextGauge;
	/** Bytes of a request after the last compaction, tried or done: the next one waits until it has grown again. */
	compactedBytes: number;
	/** Added text that goes along with the next user message. */
	readonly pendingTexts: string[];
}

/** Builds the state of a new or resumed agent; `turnsBefore` as in AgentInit. */
export function createAgentState(turnsBefore = 0, pendingTexts: readonly string[] = []): AgentState {
	return {
		calls: turnsBefore,
		spent: { turns: 0, tokens: 0, usd: 0 },
		gauge: new ContextGauge(),
		compactedBytes: 0,
		pendingTexts: [...pendingTexts],
	};
}

/** Tokens the reply was charged with, read from a cache or not. */
export function tokensOf({ usage }: ModelReply): { readonly input: number; readonly output: number } {
	return {
		input: usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
		output: usage.outputTokens,
	};
}
