import { expect, test } from "vitest";
import { createIntake } from "../../src/thread/intake.ts";

const rounds = async (count: number) => {
	for (let n = 0; n < count; n += 1) await new Promise((resolve) => setImmediate(resolve));
};
/** Keeps the thread busy for longer than a portion. */
const work = () => {
	const until = performance.now() + 6;
	while (performance.now() < until);
};

test("handles what comes alone at once", () => {
	const handled: string[] = [];
	createIntake()
		.lane()
		.take(() => handled.push("a"));
	expect(handled).toEqual(["a"]);
});

test("lets the event loop turn between portions, keeps each lane's order, and lets lanes take turns", async () => {
	const intake = createIntake();
	const flood = intake.lane();
	const other = intake.lane();
	const handled: string[] = [];
	const note = (what: string) => () => {
		work();
		handled.push(what);
	};
	for (const n of [1, 2, 3, 4]) flood.take(note(`flood ${n}`));
	other.take(note("other"));
	expect(handled).toEqual(["flood 1"]);
	setImmediate(() => handled.push("somebody else's turn"));
	await rounds(8);
	expect(handled).toEqual(["flood 1", "flood 2", "somebody else's turn", "other", "flood 3", "flood 4"]);
});

test("refuses what one lane sends beyond its bound, and goes on with the others", async () => {
	const intake = createIntake();
	const flood = intake.lane();
	let count = 0;
	flood.take(work);
	let refused = 0;
	const handle = () => {
		count += 1;
	};
	for (let n = 0; n < 20_010; n += 1) if (!flood.take(handle)) refused += 1;
	let heard = false;
	intake.lane().take(() => {
		heard = true;
	});
	await rounds(3);
	expect(heard).toBe(true);
	while (count < 20_000) await rounds(1);
	expect({ refused, count }).toEqual({ refused: 10, count: 20_000 });
});

test("goes on after a handler that throws", async () => {
	const intake = createIntake();
	const lane = intake.lane();
	expect(() =>
		lane.take(() => {
			throw new Error("a bug");
		}),
	).toThrow("a bug");
	let handled = false;
	lane.take(() => {
		handled = true;
	});
	await rounds(2);
	expect(handled).toBe(true);
});
