import { expect, test } from "vitest";
import { identifySelf } from "../../src/store/process-identity.ts";
import { createTaskBoard } from "../../src/tasks/task-board.ts";
import { owner, setUpBoard } from "./setup.ts";

const other = owner("bob", { sessionId: "session_2" });

test("renews the leases of its own session for as long as it runs", async () => {
	const { board, clock, store } = await setUpBoard();
	await board.create({ title: "a" });
	await board.claim("t1", owner("ann"));
	board.start();
	await clock.advance(10_000);
	await board.releaseDead();
	expect(board.get("t1")).toMatchObject({ status: "IN_PROGRESS", attempt: 1 });
	expect(board.claimOf("run_ann")).toMatchObject({ leaseUntil: 1_011_000 });
	await board.close();
	expect(clock.pending()).toBe(0);
	await store.close();
});

test("frees the tasks of a session when its process is dead, and not before, however late its lease is", async () => {
	const dead = new Set<string>();
	const { board, clock, store } = await setUpBoard({ isSessionAlive: async (id) => !dead.has(id) });
	await board.create({ title: "a" });
	await board.claim("t1", other);
	board.start();
	await clock.advance(5_000);
	await board.releaseDead();
	await board.releaseDead();
	expect(board.get("t1")?.status).toBe("IN_PROGRESS");
	dead.add("session_2");
	await board.releaseDead();
	expect(board.get("t1")).toMatchObject({ status: "PENDING", attempt: 2 });
	await board.close();
	await store.close();
});

test("frees the task of an unknown process once its lease is over for two rounds", async () => {
	const { board, clock, store } = await setUpBoard();
	await board.create({ title: "a" });
	await board.claim("t1", other);
	await clock.advance(1_000);
	await board.releaseDead();
	expect(board.get("t1")?.status).toBe("IN_PROGRESS");
	await board.releaseDead();
	expect(board.get("t1")).toMatchObject({ status: "PENDING", attempt: 2 });
	await store.close();
});

test("leaves a lease alone that its owner renews late, as after a sleep of the machine", async () => {
	const { board, clock, store } = await setUpBoard();
	const theirs = createTaskBoard({ store, clock, sessionId: "session_2", leaseMs: 1_000 });
	await board.create({ title: "a" });
	await board.claim("t1", other);
	await clock.advance(60_000);
	await board.releaseDead();
	await theirs.releaseDead();
	await board.releaseDead();
	await board.releaseDead();
	expect(board.get("t1")?.status).toBe("IN_PROGRESS");
	await store.close();
});

test("tells by the store's sessions which processes are dead", async () => {
	const { board, store } = await setUpBoard();
	const mine = await identifySelf();
	await store.sessions.start({ id: "session_2", cwd: "/a", owner: mine });
	await store.sessions.start({ id: "session_3", cwd: "/a", owner: { ...mine, pid: 2 ** 22 + 1 } });
	await store.sessions.start({ id: "session_4", cwd: "/a", owner: mine });
	await store.sessions.end("session_4");
	for (const number of [1, 2, 3, 4]) await board.create({ title: `task ${number}` });
	for (const number of [1, 2, 3, 4]) {
		await board.claim(`t${number}`, owner(`agent-${number}`, { sessionId: `session_${number + 1}` }));
	}
	const watching = createTaskBoard({ store, clock: (await setUpBoard()).clock, sessionId: "session_1" });
	await watching.releaseDead();
	expect(board.list().map((task) => [task.owner?.sessionId, task.status])).toEqual([
		["session_2", "IN_PROGRESS"],
		[undefined, "PENDING"],
		[undefined, "PENDING"],
		["session_5", "IN_PROGRESS"],
	]);
	await store.close();
});

test("reports a round that fails and tries again", async () => {
	let fails = true;
	const { board, clock, store, errors } = await setUpBoard({
		isSessionAlive: async () => {
			if (fails) throw new Error("cannot look");
			return false;
		},
	});
	await board.create({ title: "a" });
	await board.claim("t1", other);
	board.start();
	await clock.advance(250);
	expect(errors).toEqual([new Error("cannot look")]);
	fails = false;
	await board.releaseDead();
	expect(board.get("t1")?.status).toBe("PENDING");
	await board.close();
	await store.close();
});

test("tells its own changes at once and those of others when it looks", async () => {
	const { board, clock, store, stateDir } = await setUpBoard();
	const heard: number[] = [];
	board.onChange((version) => heard.push(version));
	board.start();
	await board.create({ title: "a" });
	expect(heard).toEqual([1]);
	await board.claim("t9", owner("ann")).catch(() => {});
	const elsewhere = await setUpBoard({}, stateDir);
	await elsewhere.board.create({ title: "b" });
	await elsewhere.board.create({ title: "c" });
	expect(heard).toEqual([1]);
	await clock.advance(500);
	expect(heard).toEqual([1, 3]);
	await board.close();
	await elsewhere.store.close();
	await store.close();
});
