// The whole of it on a real board: what a person finds who left two members and a chain of tasks alone.

import { expect, test, vi } from "vitest";
import { runAutoCommand } from "../../../src/teams/autonomy/auto-command.ts";
import { IdleLoop } from "../../../src/teams/autonomy/idle-loop.ts";
import { setUpClaimer } from "./setup.ts";

async function setUp({ isTold = true } = {}) {
	const parts = await setUpClaimer();
	const { board, claimer, clock, config, team, store } = parts;
	const lead = { isIdle: true };
	const notices: string[] = [];
	const errors: unknown[] = [];
	const loop = new IdleLoop({
		claimer,
		clock,
		config,
		board: isTold ? board : { onChange: () => () => {} },
		shouldRun: () => lead.isIdle,
		notices: ({ text }) => notices.push(text),
		onError: (thrown) => errors.push(thrown),
	});
	const chain = async () => {
		await board.create({ title: "调研符号表缓存" });
		await board.create({ title: "实现哈希索引", blockedBy: ["t1"] });
		await board.create({ title: "跑基准测试", blockedBy: ["t2"] });
		team.spawn("researcher", "reviewer");
	};
	const close = async () => {
		await loop.stop();
		await store.close();
		expect(errors).toEqual([]);
	};
	const seen = (count: number) =>
		vi.waitFor(() => expect(notices).toHaveLength(count), { interval: 1, timeout: 5_000 });
	return { ...parts, loop, lead, notices, chain, close, seen };
}

const SIX_NOTICES = [
	"auto - task t1 claimed by researcher",
	"auto - task t1 completed by researcher",
	"auto - task t2 claimed by reviewer",
	"auto - task t2 completed by reviewer",
	"auto - task t3 claimed by researcher",
	"auto - task t3 completed by researcher",
];

test("works off a chain of tasks without a single tick, when members say that they are idle again", async () => {
	const { board, claimer, clock, team, loop, notices, chain, close, seen } = await setUp();
	await chain();
	team.onAssign = (member, { taskId, claimVersion }) => {
		team.begin(member.name);
		void board.complete(taskId, { ownerId: member.owner.id, claimVersion }).then(() => {
			team.rest(member.name);
			loop.poke();
		});
	};
	const startMs = clock.monotonicMs();
	loop.start();
	await seen(6);
	expect(notices).toEqual(SIX_NOTICES);
	expect(clock.monotonicMs()).toBe(startMs);
	expect(board.list().map(({ status }) => status)).toEqual(["COMPLETED", "COMPLETED", "COMPLETED"]);
	expect(runAutoCommand("", { loop, claimer, board })).toEqual([
		"Autonomous agents: ON (tick every 10s)",
		"  claimed: 3  completed: 3",
	]);
	await close();
});

test("works off the same chain, in the same order, by ticks alone", async () => {
	const { board, clock, team, loop, notices, chain, close, seen } = await setUp({ isTold: false });
	await chain();
	loop.start();
	for (const [taskId, name, count] of [
		["t1", "researcher", 1],
		["t2", "reviewer", 3],
		["t3", "researcher", 5],
	] as const) {
		await seen(count);
		team.workAndRest(name);
		await board.complete(taskId, team.proof(name));
		await clock.advance(10_000);
	}
	await seen(6);
	expect(notices).toEqual(SIX_NOTICES);
	expect([loop.claimedCount(), loop.completedCount()]).toEqual([3, 3]);
	await close();
});

test("claims a task that is added while members wait, without a tick", async () => {
	const { board, team, loop, notices, close, seen } = await setUp();
	team.spawn("researcher");
	loop.start();
	await board.create({ title: "one" });
	await seen(1);
	expect(notices).toEqual(["auto - task t1 claimed by researcher"]);
	await close();
});

test("sees completions while it is off or the lead is busy, and claims when the lead rests", async () => {
	const { board, team, loop, lead, notices, create, close, seen, statusOf } = await setUp();
	await create("one", "two", "three");
	team.spawn("ann");
	loop.start();
	await seen(1);
	loop.setEnabled(false);
	team.begin("ann");
	await board.complete("t1", team.proof("ann"));
	team.rest("ann");
	loop.poke();
	await seen(2);
	expect(notices[1]).toBe("auto - task t1 completed by ann");
	loop.setEnabled(true);
	await seen(3);
	lead.isIdle = false;
	team.begin("ann");
	await board.complete("t2", team.proof("ann"));
	team.rest("ann");
	loop.poke();
	await seen(4);
	expect(notices[3]).toBe("auto - task t2 completed by ann");
	expect(statusOf("t3")).toBe("PENDING");
	lead.isIdle = true;
	loop.poke();
	await seen(5);
	expect(notices[4]).toBe("auto - task t3 claimed by ann");
	await close();
});

test("gives the task of a member that dies in the middle to another", async () => {
	const { board, team, loop, notices, create, close, seen } = await setUp();
	await create("one");
	team.spawn("ann", "bob");
	loop.start();
	await seen(1);
	team.begin("ann");
	team.end("ann");
	loop.poke();
	await board.releaseOwner("run_ann_1");
	await seen(3);
	expect(notices).toEqual([
		"auto - task t1 claimed by ann",
		"auto - task t1 given back by ann",
		"auto - task t1 claimed by bob",
	]);
	expect(board.get("t1")).toMatchObject({ attempt: 2, owner: { name: "bob" } });
	await close();
});

test("does not pass a task round for ever that nobody can do", async () => {
	const { board, team, loop, notices, create, close, seen, statusOf, tick } = await setUp();
	await create("one");
	team.spawn("ann", "bob");
	team.onAssign = (member, { taskId, claimVersion }) => {
		team.begin(member.name);
		void board.giveBack(taskId, { ownerId: member.owner.id, claimVersion }).then(() => {
			team.rest(member.name);
			loop.poke();
		});
	};
	loop.start();
	await seen(4);
	expect(await tick()).toEqual([]);
	expect(statusOf("t1")).toBe("PENDING");
	expect(notices).toEqual([
		"auto - task t1 claimed by ann",
		"auto - task t1 given back by ann",
		"auto - task t1 claimed by bob",
		"auto - task t1 given back by bob",
	]);
	await close();
});
