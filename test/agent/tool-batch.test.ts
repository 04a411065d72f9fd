import { expect, test } from "vitest";
import { runToolCalls } from "../../src/agent/tool-batch.ts";
import { createDeferred } from "../../src/lib/deferred.ts";
import type { ToolUseBlock } from "../../src/wire/conversation.ts";
import { fakeAgent, NEVER_ABORTS, tool } from "./fake-deps.ts";

const signal = NEVER_ABORTS;
const call = (id: string, name: string): ToolUseBlock => ({ type: "tool_use", id, name, input: { id } });

// Tools that record when they start and end, and end when they are let go.
function recorder() {
	const log: string[] = [];
	const gates = new Map<string, ReturnType<typeof createDeferred>>();
	const slow = async (input: unknown) => {
		const { id } = input as { id: string };
		log.push(`+${id}`);
		const gate = createDeferred();
		gates.set(id, gate);
		await gate.promise;
		log.push(`-${id}`);
		return id;
	};
	const tools = [tool("read", slow, { readOnly: true }), tool("write", slow), tool("task", slow, { concurrent: true })];
	return { log, tools, release: (id: string) => gates.get(id)?.resolve(undefined) };
}

test("runs read-only neighbours at the same time, others alone and in order", async () => {
	const { log, tools, release } = recorder();
	const agent = fakeAgent({ tools });
	const calls = [call("a", "read"), call("b", "read"), call("c", "write"), call("d", "write"), call("e", "read")];
	const running = runToolCalls(agent.deps, calls, { signal });
	for (const id of ["b", "a", "c", "d", "e"]) {
		await agent.clock.advance(0);
		release(id);
	}
	const { results } = await running;
	expect(log).toEqual(["+a", "+b", "-b", "-a", "+c", "-c", "+d", "-d", "+e", "-e"]);
	expect(results.map((result) => result.content)).toEqual(["a", "b", "c", "d", "e"]);
});

test("runs at most 10 read-only calls at once", async () => {
	const { log, tools, release } = recorder();
	const agent = fakeAgent({ tools });
	const ids = Array.from({ length: 12 }, (_, index) => `r${index}`);
	const running = runToolCalls(
		agent.deps,
		ids.map((id) => call(id, "read")),
		{ signal },
	);
	await agent.clock.advance(0);
	expect(log).toHaveLength(10);
	release("r3");
	await agent.clock.advance(0);
	expect(log.slice(10)).toEqual(["-r3", "+r10"]);
	for (const id of ids) release(id);
	await agent.clock.advance(0);
	release("r10");
	release("r11");
	expect((await running).results).toHaveLength(12);
});

test("runs all calls of a tool that opts in at the same time", async () => {
	const { log, tools, release } = recorder();
	const agent = fakeAgent({ tools });
	const ids = Array.from({ length: 16 }, (_, index) => `t${index}`);
	const running = runToolCalls(
		agent.deps,
		ids.map((id) => call(id, "task")),
		{ signal },
	);
	await agent.clock.advance(0);
	expect(log).toHaveLength(16);
	for (const id of ids) release(id);
	await running;
});

test("runs nothing after a hook has stopped the turn, and still answers every call", async () => {
	const agent = fakeAgent({ tools: [tool("write", () => "written")] });
	agent.hooks.on("PostToolUse", ({ toolUseId }) =>
		toolUseId === "a" ? { kind: "stop", reason: "enough" } : { kind: "continue" },
	);
	const batch = await runToolCalls(agent.deps, [call("a", "write"), call("b", "write")], { signal });
	expect(batch.stop).toBe("enough");
	expect(batch.results).toEqual([
		{ type: "tool_result", tool_use_id: "a", content: "written" },
		{
			type: "tool_result",
			tool_use_id: "b",
			content: "Error: the call did not run: a hook stopped the turn: enough",
			is_error: true,
		},
	]);
});

test("answers one call with an error while its neighbours go on", async () => {
	const bad = tool(
		"bad",
		() => {
			throw new Error("no");
		},
		{ readOnly: true },
	);
	const agent = fakeAgent({ tools: [bad, tool("read", () => "yes", { readOnly: true })] });
	const { results } = await runToolCalls(agent.deps, [call("a", "bad"), call("b", "read")], { signal });
	expect(results.map((result) => result.content)).toEqual(["Error: no", "yes"]);
});
