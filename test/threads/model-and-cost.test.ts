import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSupervisor } from "../../src/runtime/create-supervisor.ts";
import { startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { call, say, startSupervisor, temporaryFolder } from "../support/supervisor.ts";

describe("A lead's model", () => {
	it("changes with the next prompt, with the same conversation, for the lead and its new subagents", async () => {
		const cwd = await temporaryFolder();
		const work = { description: "look", prompt: "Look.", agent_type: "explore", run_in_background: false };
		const server = await startFakeAnthropicServer({
			script: [say("one"), call("task", work), say("found"), say("two")],
		});
		onTestFinished(() => server.close());
		const supervisor = await createSupervisor({
			cwd,
			stateDir: join(cwd, ".state"),
			env: { PATH: process.env.PATH, HOME: cwd },
			model: { provider: "anthropic", model: "claude-first", baseUrl: server.url, apiKey: "none" },
			permissions: { mode: "bypassPermissions" },
			warmThreads: 0,
		});
		onTestFinished(() => supervisor.close());
		const lead = await supervisor.startLead();
		await lead.prompt("a");
		expect(lead.useModel("claude-second")).toBe("claude-second");
		expect(lead.model).toBe("claude-second");
		expect(await lead.prompt("b")).toMatchObject({ reason: "done", finalText: "two" });
		expect(server.requests.map(({ body }) => body.model)).toEqual([
			"claude-first",
			"claude-second",
			"claude-second",
			"claude-second",
		]);
		expect(JSON.stringify(server.requests[1]?.body.messages)).toContain("one");
		expect(() => lead.useModel("offline")).toThrow("cannot change between the offline model and others");
		expect(supervisor.runs()[0]?.model).toBe("claude-second");
	});
});

describe("What a tree of runs used", () => {
	it("is told by the run, by the lead and by the records, while they live and afterwards", async () => {
		const usage = { inputTokens: 100, outputTokens: 10 };
		const work = (description: string) =>
			call("task", { description, prompt: "Look.", agent_type: "general", run_in_background: false }, { usage });
		const { supervisor } = await startSupervisor(
			{
				lead: [work("middle"), say("done", { usage })],
				top: [work("middle"), say("done", { usage })],
				middle: [work("leaf"), say("found", { usage })],
				leaf: [say("here", { usage })],
			},
			{ maxDepth: 3 },
		);
		const run = supervisor.spawn({ description: "top", prompt: "go" });
		expect(run.treeUsage.turns).toBe(0);
		await run.result();
		expect([run.usage.turns, run.treeUsage.turns, run.treeUsage.inputTokens]).toEqual([2, 5, 500]);
		const lead = await supervisor.startLead();
		await lead.prompt("go");
		expect([lead.usage.turns, lead.treeUsage.turns, lead.treeUsage.outputTokens]).toEqual([2, 5, 50]);
		expect(supervisor.runs().find(({ kind }) => kind === "lead")?.usage.turns).toBe(2);
	});
});
