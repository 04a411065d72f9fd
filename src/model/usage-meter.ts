// What a stream has used so far. The server counts output only at the end, so that until then, and for a
// stream that breaks, the text received stands in: budgets are charged for what was really made.

import { NO_USAGE, type Usage } from "../wire/conversation.ts";

/** Token counts as the API names them. */
export interface WireUsage {
	readonly input_tokens?: number | null;
	readonly output_tokens?: number | null;
	readonly cache_read_input_tokens?: number | null;
	readonly cache_creation_input_tokens?: number | null;
}

export interface UsageMeter {
	/** Takes the server's count; `final` ends the estimate. */
	report(counts: WireUsage | null | undefined, final?: "final"): void;
	/** Counts characters of output. */
	received(characters: number): void;
	usage(): Usage;
}

export const CHARACTERS_PER_TOKEN = 4;
// How much output passes between two reports: fine enough for a budget, rare enough to cost nothing.
const REPORT_EVERY = 400;

export function createUsageMeter(onUsage: (usage: Usage) => void): UsageMeter {
	let counted: Usage = NO_USAGE;
	let isFinal = false;
	let characters = 0;
	let reportAt = REPORT_EVERY;

	function usage(): Usage {
		if (isFinal) return counted;
		const estimate = Math.ceil(characters / CHARACTERS_PER_TOKEN);
		return { ...counted, outputTokens: Math.max(counted.outputTokens, estimate) };
	}

	return {
		report(counts, final) {
			counted = {
				inputTokens: count(counts?.input_tokens, counted.inputTokens),
				outputTokens: count(counts?.output_tokens, counted.outputTokens),
				cacheReadTokens: count(counts?.cache_read_input_tokens, counted.cacheReadTokens),
				cacheWriteTokens: count(counts?.cache_creation_input_tokens, counted.cacheWriteTokens),
			};
			isFinal ||= final !== undefined && typeof counts?.output_tokens === "number";
			onUsage(usage());
		},
		received(more) {
			characters += more;
			if (characters < reportAt) return;
			reportAt = characters + REPORT_EVERY;
			onUsage(usage());
		},
		usage,
	};
}

function count(value: number | null | undefined, before: number): number {
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : before;
}
