import { expect, it } from "vitest";
import { createSkillRoom } from "../../src/runtime/rooms/skills.ts";
import type { LiveRun } from "../../src/supervision/live-run.ts";

it("loads no skill for a call by another name, which the agent may have for something else", async () => {
	const { call } = await createSkillRoom([]);
	const answer = (name: string) => call({} as LiveRun, name, { name: "deploy" }, "t1");
	expect(await answer("list_tasks")).toEqual({
		content: "Error: there is no call 'list_tasks' for skills",
		isError: true,
	});
	expect(await answer("skill")).toEqual({ content: "Error: there is no skill 'deploy'; known: none", isError: true });
});
