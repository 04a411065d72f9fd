import { describe, expect, test } from "vitest";
import type { ClaimResult, TickOptions } from "../../../src/teams/autonomy/auto-claimer.ts";
import { createAutonomousConfig } from "../../../src/teams/autonomy/autonomous-config.ts";
import { IdleLoop } from "../../../src/teams/autonomy/idle-loop.ts";
import { createFakeClock } from "../../../src/testing/fake-clock.ts";

const entry = (taskId: string, teammate: string, claimVersion = 1) => ({ taskId, teammate, claimVersion });

/** A loop over rounds that a test ends by hand, or that end at once. */
function setUp({ endsAtOnce = true } = {}) {
	const clock = createFakeClock();
	const rounds: { readonly claim: boolean; end(result?: Partial<ClaimResult>): void }[] = [];
	const results: (Partial<ClaimResult> | Error)[] = [];
	const lead = { isIdle: true };
	const seen = { notices: [] as { id: string; text: string }[], errors: [] as unknown[], offers: 0 };
	let listener: (version: number) => void = () => {};
	const loop = new IdleLoop({
		clock,
		config: createAutonomousConfig(),
		board: {
			onChange(heard) {
				listener = heard;
				return () => {
					listener = () => {};
				};
			},
		},
		claimer: {
			tick: ({ claim }: TickOptions) =>
				new Promise((resolve, reject) => {
					const end = (result: Partial<ClaimResult> = {}) =>
						resolve({ claimed: [], completed: [], returned: [], failures: [], ...result });
					rounds.push({ claim: typeof claim === "function" ? claim() : claim, end });
					const result = results.shift();
					if (result instanceof Error) reject(result);
					else if (endsAtOnce) end(result);
				}),
			offerAnew: () => {
				seen.offers += 1;
			},
		},
		shouldRun: () => lead.isIdle,
		notices: (notice) => seen.notices.push(notice),
		onError: (thrown) => seen.errors.push(thrown),
	});
	const changeBoard = () => listener(1);
	const settle = () => clock.advance(0);
	return { clock, loop, rounds, results, lead, seen, changeBoard, settle };
}

describe("A round", () => {
	test("comes at the start and with every tick, until the loop is stopped", async () => {
		const { clock, loop, rounds } = setUp();
		expect([loop.isRunning(), loop.isEnabled(), loop.tickIntervalMillis()]).toEqual([false, true, 10_000]);
		loop.start();
		loop.start();
		await clock.advance(9_999);
		expect(rounds).toHaveLength(1);
		await clock.advance(20_001);
		expect(rounds).toHaveLength(4);
		expect(loop.isRunning()).toBe(true);
		await loop.stop();
		await clock.advance(30_000);
		expect(rounds).toHaveLength(4);
		expect([loop.isRunning(), clock.pending()]).toEqual([false, 0]);
		loop.start();
		await clock.advance(10_000);
		expect(rounds).toHaveLength(6);
	});

	test("comes at once with a change of the board and with a poke", async () => {
		const { loop, rounds, changeBoard, settle } = setUp();
		changeBoard();
		loop.poke();
		expect(rounds).toHaveLength(0);
		loop.start();
		await settle();
		changeBoard();
		await settle();
		expect(rounds).toHaveLength(2);
		loop.poke();
		await settle();
		expect(rounds).toHaveLength(3);
		await loop.stop();
		changeBoard();
		loop.poke();
		await settle();
		expect(rounds).toHaveLength(3);
	});

	test("never runs beside another: all that happens meanwhile makes one more", async () => {
		const { clock, loop, rounds, changeBoard, settle } = setUp({ endsAtOnce: false });
		loop.start();
		changeBoard();
		loop.poke();
		await clock.advance(20_000);
		expect(rounds).toHaveLength(1);
		rounds[0]?.end();
		await settle();
		expect(rounds).toHaveLength(2);
		rounds[1]?.end();
		await settle();
		expect(rounds).toHaveLength(2);
	});

	test("is waited for by stop, and tells what it did", async () => {
		const { loop, rounds, seen, settle } = setUp({ endsAtOnce: false });
		loop.start();
		loop.poke();
		let isStopped = false;
		const stopped = loop.stop().then(() => {
			isStopped = true;
		});
		await settle();
		expect(isStopped).toBe(false);
		rounds[0]?.end({ claimed: [entry("t1", "ann")] });
		await stopped;
		expect(seen.notices).toEqual([{ id: "auto-claimed-t1-v1", text: "auto - task t1 claimed by ann" }]);
		expect(rounds).toHaveLength(1);
	});
});

describe("Claims", () => {
	test("happen only while they are on and the lead is idle; the rounds go on", async () => {
		const { loop, rounds, lead, settle } = setUp();
		loop.setEnabled(false);
		loop.start();
		await settle();
		loop.setEnabled(true);
		await settle();
		lead.isIdle = false;
		loop.poke();
		await settle();
		expect(rounds.map(({ claim }) => claim)).toEqual([false, true, false]);
	});

	test("are offered anew when they are turned on again, and only then", () => {
		const { loop, seen } = setUp();
		loop.setEnabled(true);
		expect(seen.offers).toBe(0);
		loop.setEnabled(false);
		loop.setEnabled(true);
		expect(seen.offers).toBe(1);
	});
});

describe("Notices", () => {
	test("tell what a round did, completions first, and are counted", async () => {
		const { loop, results, seen, settle } = setUp();
		results.push({
			claimed: [entry("t2", "bob"), entry("t4", "ann", 3)],
			completed: [entry("t1", "ann")],
			returned: [entry("t4", "carol", 2)],
		});
		loop.start();
		await settle();
		expect(seen.notices).toEqual([
			{ id: "auto-completed-t1-v1", text: "auto - task t1 completed by ann" },
			{ id: "auto-given-back-t4-v2", text: "auto - task t4 given back by carol" },
			{ id: "auto-claimed-t2-v1", text: "auto - task t2 claimed by bob" },
			{ id: "auto-claimed-t4-v3", text: "auto - task t4 claimed by ann" },
		]);
		expect([loop.claimedCount(), loop.completedCount()]).toEqual([2, 1]);
	});
});

describe("Failures", () => {
	test("are reported, and the loop lives on", async () => {
		const { clock, loop, rounds, results, seen } = setUp();
		results.push(new Error("no disk"), { failures: ["mailbox full"], claimed: [entry("t1", "ann")] });
		loop.start();
		await clock.advance(20_000);
		expect(seen.errors).toEqual([new Error("no disk"), "mailbox full"]);
		expect(seen.notices).toHaveLength(1);
		expect(rounds).toHaveLength(3);
	});

	test("of one listener of notices do not keep the next notice back", async () => {
		const { loop, results, seen, settle } = setUp();
		const push = seen.notices.push.bind(seen.notices);
		seen.notices.push = (...notices) => {
			if (push(...notices) === 1) throw new Error("no terminal");
			return seen.notices.length;
		};
		results.push({ claimed: [entry("t1", "ann"), entry("t2", "bob")] });
		loop.start();
		await settle();
		expect(seen.notices.map(({ text }) => text)).toEqual([
			"auto - task t1 claimed by ann",
			"auto - task t2 claimed by bob",
		]);
		expect(seen.errors).toEqual([new Error("no terminal")]);
	});
});
