import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClowderError } from "../../src/errors.ts";
import { createConnectionSlots } from "../../src/model/connection-slots.ts";
import { createRateGate } from "../../src/model/rate-gate.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

const reason = new ClowderError("ERR_MODEL_RATE_LIMITED", "slow");
const never = new AbortController().signal;

describe("createRateGate", () => {
	it("lets everything through while it was never closed", async () => {
		const clock = createFakeClock(0);
		const gate = createRateGate(clock, () => 0.5);
		await gate.pass("k", never);
		expect([gate.states(), clock.pending()]).toEqual([[], 0]);
	});

	it("lets no call through early, all in order, apart from each other, whatever closes it when", async () => {
		const closing = fc.record({
			atMs: fc.integer({ min: 0, max: 3_000 }),
			delayMs: fc.integer({ min: 0, max: 5_000 }),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(closing, { minLength: 1, maxLength: 5 }),
				fc.integer({ min: 1, max: 12 }),
				async (closings, calls) => {
					const clock = createFakeClock(0);
					const gate = createRateGate(clock, () => 0.5);
					const shut: { from: number; to: number }[] = [];
					for (const { atMs, delayMs } of closings) {
						clock.after(atMs, () => {
							gate.close("k", delayMs, reason);
							shut.push({ from: atMs, to: atMs + delayMs });
						});
					}
					const started: { call: number; atMs: number }[] = [];
					for (let call = 0; call < calls; call++) {
						clock.after(call * 200, () => {
							void gate.pass("k", never).then(() => started.push({ call, atMs: clock.monotonicMs() }));
						});
					}
					await clock.advance(20_000);
					expect(started.map(({ call }) => call)).toEqual(Array.from({ length: calls }, (_, call) => call));
					for (const { atMs } of started) {
						expect(shut.every(({ from, to }) => atMs <= from || atMs >= to)).toBe(true);
					}
					expect(clock.pending()).toBe(0);
				},
			),
			{ numRuns: 40 },
		);
	});

	it("gives up the place of a call that is cancelled", async () => {
		const clock = createFakeClock(0);
		const gate = createRateGate(clock, () => 0.5);
		gate.close("k", 1_000, reason);
		const controller = new AbortController();
		const cancelled = expect(gate.pass("k", controller.signal)).rejects.toMatchObject({ code: "ERR_ABORTED" });
		const passed = gate.pass("k", never);
		controller.abort();
		await cancelled;
		await clock.advance(1_100);
		await passed;
		await expect(gate.pass("k", controller.signal)).rejects.toMatchObject({ code: "ERR_ABORTED" });
	});
});

describe("createConnectionSlots", () => {
	it("never goes over its limit and loses no slot, whatever is taken, given back or cancelled", async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(2), { maxLength: 40 }), async (limit, steps) => {
				const slots = createConnectionSlots(limit);
				const held: (() => void)[] = [];
				const waiting: AbortController[] = [];
				for (const step of steps) {
					if (step === 0) {
						const controller = new AbortController();
						waiting.push(controller);
						slots.take(controller.signal).then(
							(release) => {
								waiting.splice(waiting.indexOf(controller), 1);
								held.push(release);
							},
							() => waiting.splice(waiting.indexOf(controller), 1),
						);
					} else if (step === 1) {
						const release = held.shift();
						release?.();
						release?.();
					} else waiting.at(-1)?.abort();
					await new Promise((resolve) => setImmediate(resolve));
					expect(held.length).toBe(slots.used);
					expect(slots.used).toBeLessThanOrEqual(limit);
					expect(slots.waiting).toBe(waiting.length);
					if (waiting.length > 0) expect(slots.used).toBe(limit);
				}
			}),
			{ numRuns: 60 },
		);
	});
});
