// What the loop remembers while it works on one prompt.

import type { Spent } from "./agent-state.ts";
import type { AgentDeps } from "./types.ts";

export interface PromptProgress {
	/** Where the counts of this prompt's caps begin. */
	readonly baseline: Spent;
	/** Output tokens to ask for now: more after a reply was cut off. */
	maxTokens: number;
	/** Cut replies in a row that were kept and are being continued. */
	continuations: number;
	/** Their texts, which belong before the next one. */
	pieces: string[];
	/** The words of the last reply, continued ones whole. */
	lastTurnText: string;
	/** The last words that were not empty: what there is to show if the prompt ends early. */
	lastText: string;
	/** Times a stop hook kept the agent going. */
	stopBlocks: number;
	/** The model was told once that its result does not satisfy the output schema. */
	schemaRetried: boolean;
}

export function startProgress({ identity, state, maxTokens }: AgentDeps): PromptProgress {
	return {
		// A subagent has one task in its life; each prompt of the others is a task of its own.
		baseline: identity.kind === "subagent" ? { turns: 0, tokens: 0, usd: 0 } : state.spent,
		maxTokens,
		continuations: 0,
		pieces: [],
		lastTurnText: "",
		lastText: "",
		stopBlocks: 0,
		schemaRetried: false,
	};
}
