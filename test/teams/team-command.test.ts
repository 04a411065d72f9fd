import { expect, test } from "vitest";
import type { DeadLetter } from "../../src/bus/dead-letters.ts";
import { ClowderError } from "../../src/errors.ts";
import type { Teammate } from "../../src/teams/roster.ts";
import type { SpawnTeammate } from "../../src/teams/spawn-teammate.ts";
import type { TeamHand } from "../../src/teams/team.ts";
import { runTeamCommand, TEAM_USAGE } from "../../src/teams/team-command.ts";

const mate = (name: string, more: Partial<Teammate> = {}): Teammate => ({
	...{ name, role: "helps", agentType: "general", status: "IDLE", runId: `mate_${name}`, requirePlan: false },
	...more,
});

function setUp(members: readonly Teammate[] = []) {
	const spawned: SpawnTeammate[] = [];
	const said: string[] = [];
	const team: Pick<TeamHand, "spawn" | "list" | "send" | "stop" | "log" | "requests" | "reviewPlan"> = {
		spawn: async (wanted) => {
			spawned.push(wanted);
			return mate(wanted.name);
		},
		list: () => members,
		send: async (to, body) => {
			said.push(`${to}: ${body}`);
			return { id: "m1", state: "queued", to };
		},
		stop: async (name) => {
			throw new ClowderError("ERR_UNKNOWN_TEAMMATE", `there is no agent called '${name}'`);
		},
		log: async () => [
			'{"role":"user","content":[{"type":"text","text":"begin"}]}',
			'{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"bash","input":{"command":"ls"}}]}',
			'{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"a.txt"}]}',
		],
		requests: () => [],
		reviewPlan: async ({ requestId, approve, feedback }) => void said.push(`${requestId} ${approve} ${feedback}`),
	};
	const run = (rest: string, letters: readonly DeadLetter[] = []) => runTeamCommand(team as TeamHand, rest, letters);
	return { run, spawned, said };
}

test("lists the team, names aligned, with why one has failed", async () => {
	const { run } = setUp([mate("researcher"), mate("bob", { status: "FAILED", reason: "crashed" })]);
	expect(await run("")).toEqual(["Team members (2):", "  researcher  [IDLE]", "  bob         [FAILED] (crashed)"]);
	expect(await setUp().run("list")).toEqual(["No teammates. /team spawn NAME PROMPT starts one."]);
});

test("shows what agents wrote and nobody was left to read", async () => {
	const letter = (kind: "message" | "notification"): DeadLetter => ({
		envelope: { id: kind, kind, from: "ann", to: "bob", body: "look here", sentAt: 0, seq: 1 },
		reason: "the address was closed",
		at: 0,
	});
	const { run } = setUp([mate("ann")]);
	const letters = [letter("message"), letter("notification")];
	expect(await run("", letters)).toEqual([
		"Team members (1):",
		"  ann  [IDLE]",
		"  1 message(s) that nobody was left to read -- /team letters",
	]);
	expect(await run("letters", letters)).toEqual(["  ann to bob (the address was closed): look here"]);
	expect(await run("letters")).toEqual(["Every message has its reader."]);
});

test("spawns with all that is said, and prints nothing itself", async () => {
	const { run, spawned } = setUp();
	expect(await run('spawn ann --role "looks after tests" --type explore --plan --worktree find  the bug')).toEqual([]);
	expect(await run("spawn bob --task=t1")).toEqual([]);
	expect(spawned).toEqual([
		{
			...{ name: "ann", role: "looks after tests", agentType: "explore", prompt: "find  the bug" },
			...{ requirePlan: true, isolation: "worktree" },
		},
		{ name: "bob", role: "a teammate", taskId: "t1", prompt: "Begin with your task.", requirePlan: false },
	]);
});

test("says what is missing, and how it is used", async () => {
	const { run } = setUp();
	expect(await run("spawn")).toEqual(["Error: a name is required", ...TEAM_USAGE]);
	expect(await run("spawn ann")).toEqual(["Error: a prompt is required", ...TEAM_USAGE]);
	expect(await run("message ann")).toEqual(["Error: a name and a text are required", ...TEAM_USAGE]);
	expect(await run("dance")).toEqual(["Unknown subcommand: dance", ...TEAM_USAGE]);
	expect(await run("stop zoe")).toEqual(["Error: there is no agent called 'zoe'"]);
});

test("writes to a teammate, shows what one did, and answers a plan", async () => {
	const { run, said } = setUp();
	expect(await run("message ann look at   this")).toEqual(["Message queued for ann; it reads it as soon as it can."]);
	expect(await run("log ann 3")).toEqual(["○ begin", '● [bash {"command":"ls"}]', "○ → a.txt"]);
	expect(await run("plans")).toEqual(["No plan waits for approval."]);
	expect(await run("approve plan_1 mind the tests")).toEqual(["Plan approved."]);
	expect(said).toEqual(["ann: look at   this", "plan_1 true mind the tests"]);
});
