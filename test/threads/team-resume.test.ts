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
