import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say, startSupervisor, temporaryFolder, until } from "../support/supervisor.ts";

describe("A session with teammates that is gone on with", () => {
	it("tells the lead once that they ended, and takes one up again with its conversation and unread mail", async () => {
		const cwd = await temporaryFolder();
		const agents = {
			lead: [
				call("spawn_teammate", { name: "ann", role: "helps", prompt: "begin" }),
				say("spawned"),
				say("ann rests"),
				say("ann is gone"),
				call("spawn_teammate", { name: "ann", role: "helps", prompt: "go on" }),
				say("spawned again"),
				say("ann is back"),
			],
			ann: [say("begun"), say("gone on")],
		};
		const first = await startSupervisor(agents, { cwd });
		const { sessionId } = first.supervisor;
		const lead = await first.supervisor.startLead();
		await lead.prompt("go");
		expect(await lead.settled()).toMatchObject({ finalText: "ann rests" });
		await first.close();

		const second = await startSupervisor(agents, { cwd, resume: sessionId });
		expect(second.supervisor.team.list()).toMatchObject([{ name: "ann", status: "FAILED", reason: "interrupted" }]);
		const again = await second.supervisor.startLead();
		const woken: string[] = [];
		again.on((event) => void (event.type === "prompt-finished" && event.woken && woken.push(event.outcome.finalText)));
		await until(() => woken.length === 1);
		expect(woken).toEqual(["ann is gone"]);
		expect(await second.supervisor.team.send("ann", "kept for you")).toMatchObject({ state: "queued" });
		await again.prompt("take ann up again");
		expect(await again.settled()).toMatchObject({ finalText: "ann is back" });
		const log = await second.supervisor.team.log("ann");
		expect(log.map((json) => JSON.parse(json).role)).toEqual(["user", "assistant", "user", "assistant"]);
		expect(log[2]).toContain("kept for you");
		expect(log[2]).toContain("go on");
		await second.close();

		const third = await startSupervisor({ lead: [], ann: [] }, { cwd, resume: sessionId });
		expect(third.supervisor.team.list()).toMatchObject([{ name: "ann", status: "FAILED" }]);
	});
});

describe("A plan that was asked for", () => {
	it("is owed by a teammate also when another process takes it up again", async () => {
		const cwd = await temporaryFolder();
		const write = call("write_file", { path: "new.txt", content: "x" });
		const ann = { name: "ann", role: "helps", prompt: "begin" };
		const agents = { ann: [say("begun"), say("heard"), write, say("tried"), write, say("written")] };
		const first = await startSupervisor(agents, { cwd });
		await first.supervisor.team.spawn(ann);
		await until(() => first.supervisor.team.list()[0]?.status === "IDLE");
		await first.supervisor.team.requestPlan("ann");
		await until(async () => (await first.supervisor.team.log("ann")).length === 4);
		await first.close();

		const second = await startSupervisor(agents, { cwd, resume: first.supervisor.sessionId });
		expect(await second.supervisor.team.spawn({ ...ann, prompt: "go on" })).toMatchObject({ requirePlan: true });
		await until(async () => (await second.supervisor.team.log("ann")).length === 8);
		expect((await second.supervisor.team.log("ann")).join("\n")).toContain("the plan is not approved yet");
		expect(existsSync(join(cwd, "new.txt"))).toBe(false);
		await second.close();

		const third = await startSupervisor(agents, { cwd, resume: first.supervisor.sessionId });
		const freed = await third.supervisor.team.spawn({ ...ann, prompt: "no plan needed", requirePlan: false });
		expect(freed).toMatchObject({ requirePlan: false });
		await until(() => existsSync(join(cwd, "new.txt")));
	});
});

describe("Sixteen teammates", () => {
	it("race for one task, and one of them has it", async () => {
		const names = Array.from({ length: 16 }, (_, n) => `mate-${n}`);
		const { supervisor } = await startSupervisor({ "*": [call("claim_task", { task_id: "t1" }), say("tried")] });
		supervisor.auto.enabled = false;
		await supervisor.tasks.create({ title: "the one" });
		await Promise.all(names.map((name) => supervisor.team.spawn({ name, role: "racer", prompt: "claim t1" })));
		await until(() => supervisor.team.list().every(({ status }) => status === "IDLE"));
		const won = await Promise.all(
			names.map(async (name) => JSON.stringify(await supervisor.team.log(name)).includes("Task claimed: t1")),
		);
		expect(won.filter(Boolean)).toHaveLength(1);
		expect(supervisor.tasks.get("t1")).toMatchObject({ status: "IN_PROGRESS", attempt: 1, claimVersion: 1 });
	});
});
