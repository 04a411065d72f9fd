import { describe, expect, test } from "vitest";
import { createAgentState } from "../../src/agent/agent-state.ts";
import { compactNow } from "../../src/agent/compaction.ts";
import { runPrompt } from "../../src/agent/run-prompt.ts";
import { envelope, fakeAgent, NEVER_ABORTS, requestFaults, says } from "./fake-deps.ts";

const BLOCK = { kind: "block", reason: "no" } as const;

describe("What hooks say at a beginning", () => {
	test("goes along with the first user message, behind what that says, and with no other", async () => {
		const agent = fakeAgent({ afterwards: says("ok"), state: createAgentState(0, ["from SessionStart"]) });
		expect((await runPrompt(agent.deps, undefined, NEVER_ABORTS)).reason).toBe("done");
		expect(agent.requests).toHaveLength(0);
		agent.inbox.push(envelope({ from: "bob", body: "hello" }));
		await runPrompt(agent.deps, "go", NEVER_ABORTS);
		expect(agent.lastTexts()).toEqual(["go", expect.stringContaining("hello"), "from SessionStart"]);
		await runPrompt(agent.deps, "on", NEVER_ABORTS);
		expect(agent.lastTexts()).toEqual(["on"]);
	});

	test("is said to a lead again after a summary, and to no subagent", async () => {
		for (const kind of ["lead", "subagent"] as const) {
			const agent = fakeAgent({ kind, afterwards: says("ok ".repeat(500)) });
			const sources: string[] = [];
			agent.hooks.on("SessionStart", ({ source }) => {
				sources.push(source);
				return { kind: "continue", context: "the rules of this house" };
			});
			for (const prompt of ["one", "two", "three"]) await runPrompt(agent.deps, prompt, NEVER_ABORTS);
			expect(await compactNow(agent.deps, "", NEVER_ABORTS)).toMatchObject({ kind: "compacted" });
			await runPrompt(agent.deps, "go on", NEVER_ABORTS);
			expect(sources).toEqual(kind === "lead" ? ["compact"] : []);
			expect(JSON.stringify(agent.sent().at(-1)).includes("the rules of this house")).toBe(kind === "lead");
			expect(requestFaults(agent)).toEqual([]);
		}
	});

	test("adds to a subagent's prompt, and cannot keep it from starting", async () => {
		const agent = fakeAgent({ kind: "subagent", afterwards: says("ok") });
		const told: unknown[] = [];
		agent.hooks.on("SubagentStart", (payload) => {
			told.push(payload);
			return { kind: "continue", context: "be brief" };
		});
		await runPrompt(agent.deps, "go", NEVER_ABORTS);
		expect(agent.lastTexts()).toEqual(["go", '<hook-context event="SubagentStart">\nbe brief\n</hook-context>']);
		expect(told).toEqual([{ runId: "run_1", agentType: "general", description: "main" }]);
		const blocked = fakeAgent({ kind: "subagent", afterwards: says("ok") });
		blocked.hooks.on("SubagentStart", () => BLOCK);
		expect(await runPrompt(blocked.deps, "go", NEVER_ABORTS)).toMatchObject({ reason: "done" });
		expect(blocked.lastTexts()).toEqual(["go"]);
	});
});
