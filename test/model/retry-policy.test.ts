import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClowderError, type ErrorCode, type ErrorDetails } from "../../src/errors.ts";
import { decideRetry, type RetrySituation } from "../../src/model/retry-policy.ts";

const situation = (code: ErrorCode, over: Partial<RetrySituation> = {}, details?: ErrorDetails): RetrySituation => ({
	error: new ClowderError(code, "no", details ? { details } : {}),
	attempts: 1,
	maxAttempts: 5,
	canFallBack: false,
	random: () => 0.5,
	...over,
});

describe("decideRetry", () => {
	it.each(["ERR_MODEL_SERVER", "ERR_MODEL_UNREACHABLE", "ERR_MODEL_STALLED"] as const)(
		"tries %s again for this call alone",
		(code) => {
			expect(decideRetry(situation(code))).toEqual({ kind: "retry", delayMs: 500, holdGate: false });
		},
	);

	it.each(["ERR_MODEL_RATE_LIMITED", "ERR_MODEL_OVERLOADED"] as const)("holds the gate for %s", (code) => {
		expect(decideRetry(situation(code))).toEqual({ kind: "retry", delayMs: 500, holdGate: true });
	});

	it("waits exactly as long as the server asks, also not at all", () => {
		const asked = (retryAfterMs: number) => decideRetry(situation("ERR_MODEL_RATE_LIMITED", {}, { retryAfterMs }));
		expect(asked(7_000)).toMatchObject({ delayMs: 7_000 });
		expect(asked(0)).toMatchObject({ delayMs: 0 });
	});

	it("falls back at once rather than wait for more than ten minutes", () => {
		const details = { retryAfterMs: 600_001 };
		expect(decideRetry(situation("ERR_MODEL_OVERLOADED", { canFallBack: true }, details))).toEqual({
			kind: "fall-back",
		});
		expect(decideRetry(situation("ERR_MODEL_OVERLOADED", {}, details))).toEqual({ kind: "fail" });
	});

	it("fails at the last attempt, or falls back where that may help", () => {
		const last = { attempts: 5, canFallBack: true };
		expect(decideRetry(situation("ERR_MODEL_SERVER", last))).toEqual({ kind: "fail" });
		expect(decideRetry(situation("ERR_MODEL_OVERLOADED", last))).toEqual({ kind: "fall-back" });
	});

	it("spreads delays from nothing to a bound that doubles up to 30 s", () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 40 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(attempts, random) => {
					const decision = decideRetry(
						situation("ERR_MODEL_SERVER", { attempts, maxAttempts: 99, random: () => random }),
					);
					if (decision.kind !== "retry") throw new Error("no retry");
					expect(decision.delayMs).toBeGreaterThanOrEqual(0);
					expect(decision.delayMs).toBeLessThanOrEqual(Math.min(30_000, 1_000 * 2 ** (attempts - 1)));
				},
			),
		);
	});
});
