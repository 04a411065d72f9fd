import { expect, test } from "vitest";
import { openTestStore } from "./open-store.ts";

const owner = { pid: 7, startedAt: "then" };

test("keeps start and title of a session that is taken over, and clears its end", async () => {
	const { store, clock } = await openTestStore();
	await store.sessions.start({ id: "s1", cwd: "/a", owner, title: "Fix the build" });
	await clock.advance(50);
	await store.sessions.end("s1");
	expect(store.sessions.get("s1")?.endedAt).toBe(1_000_050);
	await clock.advance(50);
	const resumed = await store.sessions.start({ id: "s1", cwd: "/a", owner: { pid: 8, startedAt: "now" } });
	expect(resumed).toEqual({
		id: "s1",
		cwd: "/a",
		owner: { pid: 8, startedAt: "now" },
		title: "Fix the build",
		startedAt: 1_000_000,
		lastActiveAt: 1_000_100,
	});
	await store.close();
});

test("lists the latest active session first", async () => {
	const { store, clock } = await openTestStore();
	await store.sessions.start({ id: "s1", cwd: "/a", owner });
	await clock.advance(10);
	await store.sessions.start({ id: "s2", cwd: "/a", owner });
	await clock.advance(10);
	await store.sessions.update("s1", { title: "First" });
	expect(store.sessions.list().map((session) => [session.id, session.title])).toEqual([
		["s1", "First"],
		["s2", undefined],
	]);
	await store.close();
});

test("refuses to update a session that is not on record", async () => {
	const { store } = await openTestStore();
	await expect(store.sessions.update("nope", { title: "x" })).rejects.toMatchObject({
		code: "ERR_BAD_INPUT",
		message: "No session has the id 'nope'",
	});
	await store.sessions.end("nope");
	await store.close();
});

test("lets one process only take a session over", async () => {
	const { store } = await openTestStore();
	const seen = await store.sessions.start({ id: "s1", cwd: "/a", owner });
	const takeOver = (pid: number) =>
		store.sessions.takeOver({ id: "s1", cwd: "/a", owner: { pid, startedAt: "now" } }, seen);
	const [first, second] = await Promise.allSettled([takeOver(8), takeOver(9)]);
	expect(first).toMatchObject({ status: "fulfilled", value: { owner: { pid: 8 } } });
	expect(second).toMatchObject({ status: "rejected", reason: { code: "ERR_SESSION_IN_USE" } });
	await store.close();
});
