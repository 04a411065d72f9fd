import { describe, expect, it } from "vitest";
import { createEstimator } from "../../src/model/budget.ts";
import { PRICES } from "../../src/model/price-table.ts";
import { request } from "./harness.ts";

const history = (characters: number) => request({ system: "", toolsJson: "", messagesJson: ["x".repeat(characters)] });

describe("createEstimator", () => {
	it("guesses the first call from its length and an expected reply", () => {
		expect(createEstimator(PRICES).estimate(history(4_000))).toEqual({ tokens: 2_000, usd: 0.012 });
	});

	it("expects no more output than is usual, however high the limit", () => {
		const estimator = createEstimator(PRICES);
		expect(estimator.estimate({ ...history(4_000), maxTokens: 64_000 }).tokens).toBe(3_048);
	});

	it("builds on what the last call of the run used, the cached part at its own price", () => {
		const estimator = createEstimator(PRICES);
		const usage = { inputTokens: 10, outputTokens: 500, cacheReadTokens: 90_000, cacheWriteTokens: 9_990 };
		estimator.learn(history(400_000), usage);
		const { tokens, usd } = estimator.estimate(history(404_000));
		expect(tokens).toBe(102_000);
		expect(usd).toBeCloseTo(0.01 + 0.0025 + 0.01, 10);
	});

	it("starts afresh after a compaction and for a run that was forgotten", () => {
		const estimator = createEstimator(PRICES);
		const usage = { inputTokens: 0, outputTokens: 500, cacheReadTokens: 90_000, cacheWriteTokens: 0 };
		estimator.learn(history(400_000), usage);
		expect(estimator.estimate(history(4_000)).tokens).toBe(2_000);
		estimator.forget("task_1");
		expect(estimator.estimate(history(400_000)).tokens).toBe(101_000);
	});
});
