import type { UsageTotals } from "../wire/run.ts";

/** The sum of what two agents used. */
export function addTotals(a: UsageTotals, b: UsageTotals): UsageTotals {
	return {
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
		cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
		turns: a.turns + b.turns,
		toolCalls: a.toolCalls + b.toolCalls,
		costUsd: a.costUsd + b.costUsd,
		modelMs: a.modelMs + b.modelMs,
	};
}
