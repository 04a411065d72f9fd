import { expect, it } from "vitest";
import { createFloodGate } from "../../src/lib/flood-gate.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

it("lets so much through in a second, and again in the next", async () => {
	const clock = createFakeClock();
	const gate = createFloodGate(clock, { perSecond: 10, perRound: 100 });
	expect(gate.admit(10)).toBe(true);
	expect(gate.admit()).toBe(false);
	await clock.advance(1_000);
	expect(gate.admit(10)).toBe(true);
});

it("lets so many through in a round of the event loop, however fast the clock goes", async () => {
	const gate = createFloodGate(createFakeClock(), { perSecond: 100, perRound: 2 });
	expect([gate.admit(), gate.admit(), gate.admit()]).toEqual([true, true, false]);
	await nextRound();
	expect(gate.admit()).toBe(true);
});
