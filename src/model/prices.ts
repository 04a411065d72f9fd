// What a call costs. The reply's own usage is the truth; a model without a known price costs 0.

import type { Usage } from "../wire/conversation.ts";
import { type ModelPrice, PRICES, type PriceTable } from "./price-table.ts";

// A date (`-20251001`, `@20251001`), `-latest`, a window mark (`[1m]`) and a cloud's prefix and version name
// the same model at the same price.
const PREFIX = /^(?:[a-z]{2,6}\.)?anthropic[./]/;
const SUFFIX = /(?:[-@](?:\d{8}|latest|default)|-v\d+(?::\d+)?|\[[^\]]*\])+$/;

/** The price of a model, or undefined when it is not in the table. */
export function priceOf(model: string, table: PriceTable = PRICES): ModelPrice | undefined {
	if (Object.hasOwn(table, model)) return table[model];
	const name = model.toLowerCase().replace(PREFIX, "").replace(SUFFIX, "");
	return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The price of one call in US dollars. */
export function costOf(model: string, usage: Usage, table: PriceTable = PRICES): number {
	const price = priceOf(model, table);
	if (!price) return 0;
	const isLong = price.longPrompt !== undefined && promptTokens(usage) > price.longPrompt.promptTokens;
	const rates = isLong && price.longPrompt ? price.longPrompt : price;
	const perMillion =
		usage.inputTokens * rates.input +
		usage.outputTokens * rates.output +
		usage.cacheReadTokens * rates.cacheRead +
		usage.cacheWriteTokens * rates.cacheWrite;
	return perMillion / 1_000_000;
}

/** Tokens the model read, cached or not. */
export function promptTokens(usage: Usage): number {
	return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** Everything a call read and wrote: what a token budget is charged. */
export function totalTokens(usage: Usage): number {
	return promptTokens(usage) + usage.outputTokens;
}
