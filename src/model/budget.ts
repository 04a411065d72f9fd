// What a call will probably use, so that a budget can be asked before the money is spent.
// The first call of a run is guessed from its length; later ones from what the run's last reply really used.

import type { Usage } from "../wire/conversation.ts";
import type { ModelCaller, ModelRequest } from "../wire/model-call.ts";
import type { PriceTable } from "./price-table.ts";
import { costOf, promptTokens, totalTokens } from "./prices.ts";
import { CHARACTERS_PER_TOKEN } from "./usage-meter.ts";

/** Money and tokens set aside for one attempt. */
export interface Reservation {
	/** Replaces what was set aside by what was used; called exactly once. */
	settle(tokens: number, usd: number): void;
}

/** The shared account of all agents; lives behind a SharedArrayBuffer in supervision. */
export interface BudgetLedger {
	reserve(caller: ModelCaller, estimateTokens: number, estimateUsd: number): Reservation | "refused";
}

export interface Estimator {
	estimate(request: ModelRequest): { readonly tokens: number; readonly usd: number };
	/** Remembers what a call of this run used. */
	learn(request: ModelRequest, usage: Usage): void;
	forget(runId: string): void;
}

// Replies rarely come near their limit: setting all of it aside would refuse calls that the budget covers.
const EXPECTED_OUTPUT_TOKENS = 2_048;

interface LastCall {
	readonly characters: number;
	readonly promptTokens: number;
	readonly isCached: boolean;
}

export function createEstimator(prices: PriceTable): Estimator {
	const lastCalls = new Map<string, LastCall>();
	return {
		estimate(request) {
			const usage = expectedUsage(request, lastCalls.get(request.caller.runId));
			return { tokens: totalTokens(usage), usd: costOf(request.model, usage, prices) };
		},
		learn(request, usage) {
			lastCalls.set(request.caller.runId, {
				characters: lengthOf(request),
				promptTokens: promptTokens(usage),
				isCached: usage.cacheReadTokens + usage.cacheWriteTokens > 0,
			});
		},
		forget: (runId) => void lastCalls.delete(runId),
	};
}

function expectedUsage(request: ModelRequest, last: LastCall | undefined): Usage {
	const outputTokens = Math.min(request.maxTokens, EXPECTED_OUTPUT_TOKENS);
	const characters = lengthOf(request);
	// A shorter conversation than before has been compacted: nothing of it is known.
	const known = last && characters >= last.characters ? last : { characters: 0, promptTokens: 0, isCached: false };
	const added = Math.ceil((characters - known.characters) / CHARACTERS_PER_TOKEN);
	if (known.isCached) {
		return { inputTokens: 0, outputTokens, cacheReadTokens: known.promptTokens, cacheWriteTokens: added };
	}
	return { inputTokens: known.promptTokens + added, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 };
}

function lengthOf(request: ModelRequest): number {
	const history = request.messagesJson.reduce((sum, json) => sum + json.length, 0);
	return request.system.length + request.toolsJson.length + history;
}
