import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { Delivery } from "../../src/cron/schedule.ts";
import { createSchedules, type SchedulesOptions } from "../../src/cron/schedules.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { temporaryFolder } from "../support/supervisor.ts";

const MINUTE = 60_000;

/** A project's store and time; `session` is one process on it. */
async function openProject() {
	const clock = createFakeClock(Date.parse("2026-01-01T08:00:00Z"));
	const store: Store = await openStore({ stateDir: join(await temporaryFolder(), ".state"), clock });
	onTestFinished(() => store.close());
	const read = new Set<string>();
	const withdrawn: string[] = [];

	function session(sessionId: string, more: Partial<SchedulesOptions> = {}) {
		const delivered: Delivery[] = [];
		const state = { isIdle: true, isOpen: true };
		const schedules = createSchedules({
			store,
			clock,
			sessionId,
			timeZone: "UTC",
			lead: () => ({ address: "lead", isIdle: state.isIdle }),
			deliver: async (delivery) => void delivered.push(delivery),
			wasRead: async ({ id }) => read.has(id),
			isSessionOpen: async (id) => id === sessionId,
			withdraw: async ({ id }) => void withdrawn.push(id),
			onWarning: (text) => {
				throw new Error(text);
			},
			...more,
		});
		/** Time goes by, and then the session looks. */
		const passing = async (minutes: number) => {
			await clock.advance(minutes * MINUTE);
			await schedules.look();
			return delivered.map(({ prompt }) => prompt);
		};
		/** The lead has read what was delivered. */
		const readAll = async () => {
			const ids = delivered.map(({ id }) => id);
			for (const id of ids) read.add(id);
			await schedules.noteRead(ids);
		};
		return { schedules, delivered, state, passing, readAll };
	}
	return { clock, store, session, read, withdrawn };
}

describe("Schedules", () => {
	it.each([
		[true, true],
		[true, false],
		[false, true],
		[false, false],
	])("fire when they are due: recurring %s, durable %s", async (recurring, durable) => {
		const { session } = await openProject();
		const { schedules, passing, readAll } = session("s1");
		await schedules.add({ cron: "*/10 * * * *", prompt: "check", recurring, durable });
		expect(await passing(9)).toEqual([]);
		expect(await passing(1)).toEqual(["check"]);
		await readAll();
		expect(await passing(10)).toEqual(recurring ? ["check", "check"] : ["check"]);
		expect(schedules.list()).toHaveLength(recurring ? 1 : 0);
	});

	it.each([true, false])("wait while the lead is busy, and then fire once (durable %s)", async (durable) => {
		const { session } = await openProject();
		const { schedules, passing, state } = session("s1");
		await schedules.add({ cron: "*/10 * * * *", prompt: "check", durable });
		state.isIdle = false;
		expect(await passing(35)).toEqual([]);
		expect(await passing(10)).toEqual([]);
		state.isIdle = true;
		expect(await passing(1)).toEqual(["check"]);
		expect(await passing(1)).toEqual(["check"]);
	});

	it("are kept for the next session when they are durable, and only then", async () => {
		const { session } = await openProject();
		const first = session("s1");
		await first.schedules.add({ cron: "0 9 * * *", prompt: "kept", recurring: false });
		await first.schedules.add({ cron: "0 9 * * *", prompt: "lost", recurring: false, durable: false });
		const second = session("s2");
		expect(await second.passing(60)).toEqual(["kept"]);
	});

	it("deliver after a crash what was due and not read, under the same id", async () => {
		const { session, withdrawn } = await openProject();
		const first = session("s1");
		await first.schedules.add({ cron: "0 9 * * *", prompt: "report" });
		first.state.isIdle = false;
		await first.passing(61);
		const second = session("s2");
		expect(await second.passing(1)).toEqual(["report"]);
		expect(second.delivered[0]?.id).toMatch(/^cron-cron_.*-1767258000000$/);
		expect(withdrawn).toEqual([second.delivered[0]?.id]);
	});

	it("do not deliver after a crash what the history has", async () => {
		const { session, read, store } = await openProject();
		const first = session("s1");
		await first.schedules.add({ cron: "0 9 * * *", prompt: "report", recurring: false });
		expect(await first.passing(60)).toEqual(["report"]);
		for (const { id } of first.delivered) read.add(id);
		const again = session("s1");
		const other = session("s2");
		expect(await other.passing(1)).toEqual([]);
		expect(await again.passing(1)).toEqual([]);
		expect(store.table("cron-deliveries", z.unknown()).keys()).toEqual([]);
	});

	it("fire in one process only", async () => {
		const { session } = await openProject();
		const both = { isSessionOpen: async () => true };
		const [first, second] = [session("s1", both), session("s2", both)];
		await first.schedules.add({ cron: "0 9 * * *", prompt: "report" });
		await first.passing(59);
		const [one, other] = await Promise.all([first.passing(1), second.passing(0)]);
		expect([...one, ...other]).toEqual(["report"]);
	});

	it("that came due while nobody was there fire once, late", async () => {
		const { session, clock } = await openProject();
		await session("s1").schedules.add({ cron: "0 * * * *", prompt: "hourly" });
		await clock.advance(5 * 60 * MINUTE);
		const later = session("s2");
		expect(await later.passing(1)).toEqual(["hourly"]);
		await later.readAll();
		expect(await later.passing(58)).toEqual(["hourly"]);
		expect(await later.passing(1)).toEqual(["hourly", "hourly"]);
	});

	it("can be cancelled", async () => {
		const { session } = await openProject();
		const { schedules, passing } = session("s1");
		const { id } = await schedules.add({ cron: "* * * * *", prompt: "never" });
		expect(await schedules.cancel(id)).toBe(true);
		expect(await schedules.cancel(id)).toBe(false);
		expect(await passing(5)).toEqual([]);
	});
});
