import { describe, expect, it } from "vitest";
import { call, say, startSupervisor } from "../support/supervisor.ts";

describe("The task board", () => {
	it("is shared by agents of all threads, and a claim ends with the run that made it", async () => {
		const { supervisor } = await startSupervisor({
			lead: [
				call("create_task", { title: "first" }),
				call("create_task", { title: "second", blocked_by: ["t1"] }),
				call("task", { description: "leaver", prompt: "claim", run_in_background: false }),
				call("claim_task", { task_id: "t1" }),
				call("complete_task", { task_id: "t1", result: "done" }),
				say("over"),
			],
			leaver: [call("claim_task", { task_id: "t1" }), say("I leave.")],
		});
		const lead = await supervisor.startLead();
		expect(await lead.prompt("go")).toMatchObject({ reason: "done", finalText: "over" });
		expect(supervisor.tasks.list()).toMatchObject([
			{ id: "t1", status: "COMPLETED", attempt: 2, result: "done", owner: { name: "lead" } },
			{ id: "t2", status: "PENDING", attempt: 1 },
		]);
		expect(supervisor.tasks.ready().map(({ id }) => id)).toEqual(["t2"]);
	});
});
