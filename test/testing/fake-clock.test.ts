import { describe, expect, it } from "vitest";
import { waitFor } from "../../src/lib/clock.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

describe("createFakeClock", () => {
	it("stands still until it is advanced", async () => {
		const clock = createFakeClock(1_000);
		expect([clock.now(), clock.monotonicMs()]).toEqual([1_000, 0]);
		await clock.advance(250);
		expect([clock.now(), clock.monotonicMs()]).toEqual([1_250, 250]);
	});

	it("runs timers in the order they are due, each at its own time", async () => {
		const clock = createFakeClock(0);
		const seen: string[] = [];
		clock.after(30, () => seen.push(`c@${clock.now()}`));
		clock.after(10, () => seen.push(`a@${clock.now()}`));
		clock.after(10, () => seen.push(`b@${clock.now()}`));
		clock.after(31, () => seen.push("late"));
		await clock.advance(30);
		expect(seen).toEqual(["a@10", "b@10", "c@30"]);
		expect(clock.pending()).toBe(1);
	});

	it("lets promises run between two timers, also timers they set", async () => {
		const clock = createFakeClock(0);
		const seen: string[] = [];
		const chain = async () => {
			for (let step = 0; step < 50; step++) await Promise.resolve();
			await waitFor(clock, 5);
			seen.push(`chain@${clock.now()}`);
		};
		clock.after(10, () => void chain());
		clock.after(20, () => seen.push("twenty"));
		await clock.advance(20);
		expect(seen).toEqual(["chain@15", "twenty"]);
	});

	it("repeats an interval until it is cancelled", async () => {
		const clock = createFakeClock(0);
		const seen: number[] = [];
		const timer = clock.every(10, () => seen.push(clock.now()));
		await clock.advance(35);
		timer.cancel();
		timer.cancel();
		await clock.advance(100);
		expect(seen).toEqual([10, 20, 30]);
		expect(clock.pending()).toBe(0);
	});

	it("rejects with what a callback throws and can be advanced again", async () => {
		const clock = createFakeClock(0);
		clock.after(5, () => {
			throw new Error("broken callback");
		});
		await expect(clock.advance(10)).rejects.toThrow("broken callback");
		expect(clock.now()).toBe(5);
		await clock.advance(10);
		expect(clock.now()).toBe(15);
	});

	it("queues overlapping advances", async () => {
		const clock = createFakeClock(0);
		await Promise.all([clock.advance(10), clock.advance(10)]);
		expect(clock.now()).toBe(20);
	});
});
