import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDeltaFlow } from "../../src/model/delta-flow.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { INITIAL_CREDIT } from "../../src/wire/model-call.ts";

describe("createDeltaFlow", () => {
	it("delivers the text whole and in order, within credit, however pieces, grants and time are mixed", async () => {
		const step = fc.oneof(
			{ weight: 6, arbitrary: fc.record({ push: fc.string({ maxLength: 3_000 }) }) },
			{ weight: 2, arbitrary: fc.record({ grant: fc.integer({ min: 1, max: 4 }) }) },
			{ weight: 2, arbitrary: fc.record({ waitMs: fc.integer({ min: 0, max: 80 }) }) },
		);
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
				const clock = createFakeClock(0);
				const sent: string[] = [];
				const flow = createDeltaFlow(clock, (text) => sent.push(text));
				let pushed = "";
				let credit = INITIAL_CREDIT;
				for (const action of steps) {
					if ("push" in action) {
						pushed += action.push;
						flow.push(action.push);
					} else if ("grant" in action) {
						credit += action.grant;
						flow.grant(action.grant);
					} else await clock.advance(action.waitMs);
					expect(sent.length).toBeLessThanOrEqual(credit);
					expect(pushed.startsWith(sent.join(""))).toBe(true);
				}
				await clock.advance(30);
				if (sent.length < credit) expect(sent.join("")).toBe(pushed);
				flow.finish();
				expect(sent.join("")).toBe(pushed);
				expect(sent.length).toBeLessThanOrEqual(credit + 1);
				expect(sent).not.toContain("");
				expect(clock.pending()).toBe(0);
			}),
			{ numRuns: 60 },
		);
	});

	it("sends nothing after it is stopped, and only new text after a discard", async () => {
		const clock = createFakeClock(0);
		const sent: string[] = [];
		const flow = createDeltaFlow(clock, (text) => sent.push(text));
		flow.push("old");
		flow.discard();
		flow.push("new");
		await clock.advance(30);
		flow.push("more");
		flow.stop();
		flow.push("late");
		flow.grant(5);
		flow.finish();
		await clock.advance(100);
		expect(sent).toEqual(["new"]);
	});
});
