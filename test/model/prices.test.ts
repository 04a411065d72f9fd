import { describe, expect, it } from "vitest";
import { costOf, priceOf } from "../../src/model/prices.ts";
import { NO_USAGE } from "../../src/wire/conversation.ts";

const MILLION = {
	inputTokens: 1_000_000,
	outputTokens: 1_000_000,
	cacheReadTokens: 1_000_000,
	cacheWriteTokens: 1_000_000,
};

describe("costOf", () => {
	it.each([
		["claude-opus-5-5", 29.2],
		["claude-sonnet-5-5", 14.6],
		["claude-haiku-4-5", 7.35],
		["claude-fable-5-2", 58.2],
		["claude-sonnet-4-5", 22.05],
	])("prices a million of each kind of token of %s", (model, usd) => {
		expect(costOf(model, MILLION)).toBeCloseTo(usd, 10);
	});

	it("prices a long prompt of a model with two rates as a whole at the higher one", () => {
		const short = { ...NO_USAGE, inputTokens: 60_000, cacheReadTokens: 40_000, outputTokens: 1_000 };
		expect(costOf("claude-haiku-5-5", short)).toBeCloseTo(0.0069, 10);
		expect(costOf("claude-haiku-5-5", { ...short, cacheReadTokens: 40_001 })).toBeCloseTo(0.03450005, 10);
	});

	it("counts a model without a known price as 0", () => {
		expect(costOf("my-local-model", MILLION)).toBe(0);
		expect(costOf("constructor", MILLION)).toBe(0);
	});

	it("lets the caller's table decide", () => {
		const table = { mine: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0 } };
		expect(costOf("mine", MILLION, table)).toBe(1);
		expect(costOf("claude-opus-5-5", MILLION, table)).toBe(0);
	});
});

describe("priceOf", () => {
	it.each([
		"claude-haiku-4-5-20251001",
		"claude-haiku-4-5@20251001",
		"claude-haiku-4-5-latest",
		"claude-haiku-4-5[1m]",
		"anthropic/claude-haiku-4-5",
		"us.anthropic.claude-haiku-4-5-20251001-v1:0",
	])("reads %s as claude-haiku-4-5", (model) => {
		expect(priceOf(model)?.input).toBe(1);
	});

	it("does not take a newer version for an older one", () => {
		expect(priceOf("claude-opus-5-9")).toBeUndefined();
	});
});
