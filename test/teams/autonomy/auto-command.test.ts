import { expect, test } from "vitest";
import { AUTO_USAGE, runAutoCommand } from "../../../src/teams/autonomy/auto-command.ts";
import { IdleLoop } from "../../../src/teams/autonomy/idle-loop.ts";
import { setUpClaimer } from "./setup.ts";

async function setUp() {
	const parts = await setUpClaimer();
	const { claimer, board, clock, config } = parts;
	const loop = new IdleLoop({
		claimer,
		board,
		clock,
		config,
		shouldRun: () => true,
		notices: () => {},
		onError: () => {},
	});
	return { ...parts, loop, run: (rest: string) => runAutoCommand(rest, { loop, claimer, board }) };
}

test("shows the state and the counts, with and without the word status", async () => {
	const { run, store } = await setUp();
	const lines = ["Autonomous agents: ON (tick every 10s)", "  claimed: 0  completed: 0"];
	expect(run("")).toEqual(lines);
	expect(run(" status ")).toEqual(lines);
	await store.close();
});

test("tells how many ready tasks wait", async () => {
	const { run, create, board, store } = await setUp();
	await create("one", "two");
	await board.create({ title: "three", blockedBy: ["t1"] });
	expect(run("")).toEqual([
		"Autonomous agents: ON (tick every 10s)",
		"  claimed: 0  completed: 0",
		"  2 ready task(s) awaiting claim -- /auto tasks",
	]);
	await store.close();
});

test("turns the claims off", async () => {
	const { run, loop, store } = await setUp();
	expect(run("off")).toEqual(["Autonomous agents: OFF"]);
	expect(loop.isEnabled()).toBe(false);
	expect(run("")[0]).toBe("Autonomous agents: OFF (tick every 10s)");
	await store.close();
});

test("turns the claims on", async () => {
	const { run, loop, store } = await setUp();
	loop.setEnabled(false);
	expect(run("on")).toEqual(["Autonomous agents: ON"]);
	expect(loop.isEnabled()).toBe(true);
	await store.close();
});

test("lists ready tasks and who works on which", async () => {
	const { run, create, team, tick, store } = await setUp();
	await create("Study the cache", "Write\nthe index");
	team.spawn("researcher");
	await tick();
	expect(run("tasks")).toEqual(["  t2  Write the index", "  t1 -> researcher"]);
	await store.close();
});

test("says so when there is nothing to list", async () => {
	const { run, store } = await setUp();
	expect(run("tasks")).toEqual(["No ready tasks or active claims."]);
	await store.close();
});

test("says how it is used", async () => {
	const { run, store } = await setUp();
	expect(run("frobnicate")).toEqual(["Unknown subcommand", AUTO_USAGE]);
	expect(AUTO_USAGE).toBe("Usage: /auto [status] | on | off | tasks");
	await store.close();
});
