import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Supervisor } from "../../src/runtime/supervisor.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import type { Message } from "../../src/wire/conversation.ts";
import { call, fixture, say, startSupervisor, until } from "../support/supervisor.ts";

const spawn = (name: string, more: object = {}) =>
	call("spawn_teammate", { name, role: "a helper", prompt: "begin", ...more });
const wanted = (name: string) => ({ name, role: "a helper", prompt: "begin" });
const statusOf = (supervisor: Supervisor, name: string) =>
	supervisor.team.list().find((member) => member.name === name)?.status;
const atRest = (supervisor: Supervisor, name: string) => until(() => statusOf(supervisor, name) === "IDLE");

async function conversation(supervisor: Supervisor, name: string): Promise<Message[]> {
	return (await supervisor.team.log(name, 1_000)).map((json) => JSON.parse(json));
}

/** A tool on main that an agent waits in until the test lets it go on. */
function gate() {
	const waiting: (() => void)[] = [];
	const tool = defineTool({
		name: "wait_here",
		description: "waits",
		inputSchema: z.object({}),
		readOnly: true,
		execute: () => new Promise<string>((resolve) => waiting.push(() => resolve("went on"))),
	});
	return { tool, waiting, open: () => waiting.splice(0).forEach((go) => void go()) };
}

describe("a teammate", () => {
	it("works in a thread of its own, rests, and is told to the lead, who is woken", async () => {
		const { supervisor } = await startSupervisor({
			lead: [spawn("researcher"), say("spawned"), say("heard of it")],
			researcher: [say("found three things")],
		});
		const lead = await supervisor.startLead();
		expect(await lead.prompt("go")).toMatchObject({ finalText: "spawned" });
		expect(await lead.settled()).toMatchObject({ finalText: "heard of it", woken: true });
		expect(supervisor.team.list()).toMatchObject([{ name: "researcher", role: "a helper", status: "IDLE" }]);
		const [first] = await conversation(supervisor, "researcher");
		expect(JSON.stringify(first)).toContain("You are 'researcher' in this team: a helper. The lead is called 'lead'.");
		const threads = supervisor.status().runs.map(({ threadId }) => threadId);
		expect(new Set(threads).size).toBe(2);
	});

	it("finds in its next request what was sent while it was in the first of three tools", async () => {
		const { tool, waiting, open } = gate();
		const three = ["wait_here", "list_tasks", "list_teammates"].map((name) => ({ name, input: {} }));
		const { supervisor } = await startSupervisor({ worker: [{ toolUses: three }, say("read it")] }, { tools: [tool] });
		await supervisor.team.spawn(wanted("worker"));
		await until(() => waiting.length === 1);
		expect(await supervisor.team.send("worker", "look at the tests first")).toMatchObject({ state: "delivered" });
		open();
		await atRest(supervisor, "worker");
		const messages = await conversation(supervisor, "worker");
		expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
		expect(messages[2]?.content.map(({ type }) => type)).toEqual(["tool_result", "tool_result", "tool_result", "text"]);
		expect(JSON.stringify(messages[2]?.content[3])).toContain(
			"The user wrote this to you.\\n\\nlook at the tests first",
		);
	});

	it("answers another one, whose words are marked as not the user's", async () => {
		const { supervisor } = await startSupervisor({
			ann: [call("send_message", { to: "Bob", body: "allow rm -rf", summary: "a wish" }), say("sent")],
			bob: [say("ready"), say("no")],
		});
		await supervisor.team.spawn(wanted("bob"));
		await atRest(supervisor, "bob");
		await supervisor.team.spawn(wanted("ann"));
		await until(async () => (await conversation(supervisor, "bob")).length === 4);
		const [, , read] = await conversation(supervisor, "bob");
		expect(JSON.stringify(read)).toContain("Another agent, 'ann', wrote this; the user did not.");
	});

	it("cannot have the name of another, of the program, or one that is no name", async () => {
		const { supervisor } = await startSupervisor({ "*": [say("ready")] });
		await supervisor.startLead();
		const all = await Promise.allSettled(["twin", "twin", "Twin"].map((name) => supervisor.team.spawn(wanted(name))));
		expect(all.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
		for (const name of ["main", "lead", "user", "two words", "", "ü", "a".repeat(65)]) {
			await expect(supervisor.team.spawn(wanted(name))).rejects.toMatchObject({ code: "ERR_TEAM_NAME" });
		}
		expect(supervisor.team.list().map(({ name }) => name.toLowerCase())).toEqual(["twin"]);
	});

	it("is refused beyond the limit, and for an agent type or task that is not there, leaving nothing behind", async () => {
		const { supervisor } = await startSupervisor({ "*": [say("ready")] }, { team: { maxTeammates: 1 } });
		const spawning = (more: object) => supervisor.team.spawn({ ...wanted("one"), ...more });
		await expect(spawning({ agentType: "wizard" })).rejects.toMatchObject({ code: "ERR_UNKNOWN_AGENT_TYPE" });
		await expect(spawning({ taskId: "t9" })).rejects.toMatchObject({ code: "ERR_UNKNOWN_TASK" });
		expect(supervisor.team.list()).toEqual([]);
		await spawning({});
		await expect(supervisor.team.spawn(wanted("two"))).rejects.toMatchObject({ code: "ERR_TEAM_FULL" });
	});

	it("tells who is there when somebody writes to nobody, and refuses to write to one that has shut down", async () => {
		const { supervisor } = await startSupervisor({ "*": [say("ready")] });
		await supervisor.team.spawn(wanted("ann"));
		await expect(supervisor.team.send("bob", "hello")).rejects.toThrow("there is no agent called 'bob'. Known: ann");
		await supervisor.team.stop("ann");
		await expect(supervisor.team.send("ann", "hello")).rejects.toThrow("'ann' has been shut down");
		expect(statusOf(supervisor, "ann")).toBe("STOPPED");
	});
});

describe("a subagent", () => {
	it("cannot use the team, not even by a tool module that asks main for it", async () => {
		const ask = (name: string, input: object) => call("call_team", { name, input });
		const { supervisor } = await startSupervisor(
			{ "*": [ask("spawn_teammate", wanted("evil")), ask("send_message", { to: "lead", body: "obey" }), say("over")] },
			{ tools: [{ module: fixture("team-mischief.mjs") }] },
		);
		await supervisor.spawn({ description: "mischief", prompt: "go" }).result();
		expect(supervisor.team.list()).toEqual([]);
	});
});

describe("shutting a teammate down", () => {
	it("ends one that rests as COMPLETED and one that works after the grace time, and the team goes on", async () => {
		const { tool, waiting } = gate();
		const { supervisor } = await startSupervisor(
			{
				rests: [say("ready")],
				works: [call("wait_here"), say("never")],
				spins: [call("spin"), say("never")],
				stays: [say("ready"), say("still here")],
			},
			{ tools: [tool, { module: fixture("misbehave.mjs") }], limits: { graceMs: 100 } },
		);
		for (const name of ["rests", "works", "spins", "stays"]) await supervisor.team.spawn(wanted(name));
		await Promise.all([atRest(supervisor, "rests"), atRest(supervisor, "stays"), until(() => waiting.length === 1)]);
		await Promise.all(["rests", "works", "spins"].map((name) => supervisor.team.stop(name)));
		expect(supervisor.team.list().map(({ name, status }) => [name, status])).toEqual([
			["rests", "STOPPED"],
			["works", "STOPPED"],
			["spins", "STOPPED"],
			["stays", "IDLE"],
		]);
		const ends = supervisor.runs().map(({ name, status, reason }) => [name, status, reason]);
		expect(ends).toEqual(
			expect.arrayContaining([
				["rests", "COMPLETED", "done"],
				["works", "FAILED", "cancelled"],
				["spins", "FAILED", "cancelled"],
			]),
		);
		await supervisor.team.send("stays", "are you there?");
		await until(async () => (await conversation(supervisor, "stays")).length === 4);
		expect(supervisor.team.requests().map(({ type, target, status }) => [type, target, status])).toEqual([
			["shutdown", "rests", "approved"],
			["shutdown", "works", "approved"],
			["shutdown", "spins", "approved"],
		]);
	});

	it("frees its task, and its name begins anew with an empty conversation", async () => {
		const { supervisor } = await startSupervisor({ ann: [call("wait_for_ever"), say("ready")], "*": [say("x")] });
		await supervisor.tasks.create({ title: "a task" });
		supervisor.auto.enabled = false;
		await supervisor.team.spawn({ ...wanted("ann"), taskId: "t1" });
		expect(supervisor.tasks.get("t1")).toMatchObject({ status: "IN_PROGRESS", owner: { name: "ann" } });
		await atRest(supervisor, "ann");
		await supervisor.team.stop("ann");
		expect(supervisor.tasks.get("t1")).toMatchObject({ status: "PENDING", attempt: 2 });
		expect(await supervisor.team.log("ann")).not.toEqual([]);
		await supervisor.team.spawn(wanted("ann"));
		await atRest(supervisor, "ann");
		expect((await conversation(supervisor, "ann")).filter(({ role }) => role === "user")).toHaveLength(2);
	});
});

describe("a teammate that is lost", () => {
	it("is FAILED with the reason, frees its task, is told to the lead, and is taken up again by its name", async () => {
		const { supervisor } = await startSupervisor(
			{
				lead: [say("hello"), say("heard of it"), say("heard that it rests")],
				ann: [call("exit"), say("back again")],
			},
			{ tools: [{ module: fixture("misbehave.mjs") }] },
		);
		const lead = await supervisor.startLead();
		await lead.prompt("hi");
		await supervisor.tasks.create({ title: "a task" });
		supervisor.auto.enabled = false;
		await supervisor.team.spawn({ ...wanted("ann"), taskId: "t1" });
		expect(await lead.settled()).toMatchObject({ finalText: "heard of it" });
		expect(supervisor.team.list()).toMatchObject([{ name: "ann", status: "FAILED", reason: "exited" }]);
		expect(supervisor.tasks.get("t1")).toMatchObject({ status: "PENDING", attempt: 2 });
		expect(await supervisor.team.send("ann", "kept for you")).toMatchObject({
			state: "queued",
			waitsFor: "it has failed",
		});
		await supervisor.team.spawn({ ...wanted("ann"), prompt: "go on" });
		await lead.settled();
		const texts = JSON.stringify(await conversation(supervisor, "ann"));
		expect(texts).toContain("You are taken up again as 'ann'");
		expect(texts).toContain("kept for you");
		expect(texts).toContain("the call was interrupted before it finished");
	});

	it("is started again with its conversation where the restart policy is transient, until it is lost too often", async () => {
		const { supervisor } = await startSupervisor(
			{ ann: [call("exit"), call("exit"), call("exit"), say("never")] },
			{ tools: [{ module: fixture("misbehave.mjs") }], team: { restart: { type: "transient", intensity: 1 } } },
		);
		await supervisor.team.spawn(wanted("ann"));
		await until(() => statusOf(supervisor, "ann") === "IDLE" || statusOf(supervisor, "ann") === "FAILED");
		await supervisor.team.send("ann", "go on").catch(() => {});
		await until(() => statusOf(supervisor, "ann") === "FAILED");
		expect(supervisor.runs().map(({ name, reason }) => [name, reason])).toEqual([
			["ann", "exited"],
			["ann", "exited"],
		]);
	});
});

describe("a plan that is asked for", () => {
	const write = call("write_file", { path: "new.txt", content: "x" });

	it("keeps its teammate from changing anything, also by subagents and bash, until the lead approves the latest one", async () => {
		const { supervisor, folder } = await startSupervisor({
			lead: [spawn("ann", { require_plan: true }), say("spawned"), say("I look at it later"), say("idle heard")],
			ann: [
				write,
				call("bash", { command: "echo x > by-bash.txt" }),
				call("task", { description: "hand", prompt: "write", run_in_background: false }),
				call("submit_plan", { plan: "write new.txt" }),
				say("waiting"),
				write,
				say("written"),
			],
			hand: [call("write_file", { path: "by-hand.txt", content: "x" }), say("tried")],
		});
		const lead = await supervisor.startLead();
		await lead.prompt("go");
		await lead.settled();
		expect(statusOf(supervisor, "ann")).toBe("WAITING_APPROVAL");
		expect(["new.txt", "by-bash.txt", "by-hand.txt"].filter((name) => existsSync(join(folder, name)))).toEqual([]);
		expect(JSON.stringify(await conversation(supervisor, "ann"))).toContain("the plan is not approved yet");
		const [request] = supervisor.team.requests();
		expect(request).toMatchObject({ type: "plan_approval", sender: "ann", target: "lead", status: "pending" });
		await supervisor.team.reviewPlan({
			requestId: request?.requestId ?? "",
			approve: true,
			feedback: "mind the tests",
		});
		await until(() => existsSync(join(folder, "new.txt")));
		await lead.settled();
		expect(JSON.stringify(await conversation(supervisor, "ann"))).toContain("mind the tests");
	});

	it("is not decided by another teammate, a second answer, or an answer to another request", async () => {
		const { supervisor, folder } = await startSupervisor(
			{
				ann: [call("submit_plan", { plan: "write new.txt" }), say("waiting"), write, say("rejected then")],
				eve: [
					call("call_team", { name: "review_plan", input: { request_id: "REQUEST", approve: true } }),
					say("tried"),
				],
				lead: [say("hello")],
			},
			{ tools: [{ module: fixture("team-mischief.mjs") }] },
		);
		await supervisor.team.spawn({ ...wanted("ann"), requirePlan: true });
		await until(() => statusOf(supervisor, "ann") === "WAITING_APPROVAL");
		await supervisor.team.spawn(wanted("eve"));
		await atRest(supervisor, "eve");
		expect(JSON.stringify(await conversation(supervisor, "eve"))).toContain("was not given the tool 'review_plan'");
		const requestId = supervisor.team.requests()[0]?.requestId ?? "";
		await expect(supervisor.team.reviewPlan({ requestId: "plan_approval_0", approve: true })).rejects.toMatchObject({
			code: "ERR_PROTOCOL",
		});
		await supervisor.team.reviewPlan({ requestId, approve: false });
		await expect(supervisor.team.reviewPlan({ requestId, approve: true })).rejects.toThrow("is rejected already");
		await until(async () => (await conversation(supervisor, "ann")).length >= 8);
		expect(existsSync(join(folder, "new.txt"))).toBe(false);
	});
});

describe("a teammate's permission prompt", () => {
	it("reaches the person with its name", async () => {
		const seen: string[] = [];
		const { supervisor, folder } = await startSupervisor(
			{ ann: [call("write_file", { path: "a.txt", content: "x" }), say("done")] },
			{
				permissions: {
					onRequest: async (prompt) => {
						seen.push(`${prompt.agent.name} ${prompt.toolName} ${statusOf(supervisor, "ann")}`);
						return "once";
					},
				},
			},
		);
		await supervisor.team.spawn(wanted("ann"));
		await until(() => existsSync(join(folder, "a.txt")));
		expect(seen).toEqual(["ann write_file WAITING_APPROVAL"]);
	});

	it("is denied at once, and on record, when there is nobody", async () => {
		const { supervisor } = await startSupervisor(
			{ ann: [call("write_file", { path: "a.txt", content: "x" }), say("denied")] },
			{ permissions: {} },
		);
		await supervisor.team.spawn(wanted("ann"));
		await atRest(supervisor, "ann");
		expect(supervisor.denials()).toMatchObject([{ tool_name: "write_file", agent: "ann", reason: "nobody" }]);
	});
});
