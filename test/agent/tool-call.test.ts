import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { runToolCall } from "../../src/agent/tool-call.ts";
import type { Tool } from "../../src/tools/definition.ts";
import { type FakeOptions, fakeAgent, NEVER_ABORTS, tool } from "./fake-deps.ts";

const store: string[] = [];
const write = tool(
	"write",
	(input) => {
		store.push((input as { path: string }).path);
		return "written";
	},
	{ inputSchema: z.object({ path: z.string() }) as unknown as Tool["inputSchema"] },
);

async function run(name: string, input: unknown, options: FakeOptions = {}, signal = NEVER_ABORTS) {
	store.length = 0;
	const agent = fakeAgent({ tools: [write], ...options });
	const call = () => runToolCall(agent.deps, { type: "tool_use", id: "call_1", name, input }, signal);
	return { agent, call };
}

describe("before the call", () => {
	test("answers an unknown tool with the names of the known ones", async () => {
		const { call } = await run("wriet", {});
		expect((await call()).result).toEqual({
			type: "tool_result",
			tool_use_id: "call_1",
			content: "Error: unknown tool 'wriet'. Known tools: write",
			is_error: true,
		});
	});

	test("answers bad input with what is wrong with it, and touches no store", async () => {
		const { call } = await run("write", {});
		expect((await call()).result).toMatchObject({ content: "Error: path is required", is_error: true });
		expect(store).toEqual([]);
	});

	test("answers a blocked and a denied call without touching a store", async () => {
		const blocked = await run("write", { path: "a" });
		blocked.agent.hooks.on("PreToolUse", () => ({ kind: "block", reason: "frozen" }));
		expect((await blocked.call()).result.content).toBe("Error: the call was blocked by a hook: frozen");
		const denied = await run("write", { path: "a" }, { authorize: async () => ({ decision: "deny", message: "No." }) });
		expect((await denied.call()).result).toMatchObject({ content: "No.", is_error: true });
		expect(store).toEqual([]);
	});

	test("runs with the input a hook put in its place, once it is checked", async () => {
		const good = await run("write", { path: "a" });
		good.agent.hooks.on("PreToolUse", () => ({ kind: "replace", value: { path: "b" } }));
		await good.call();
		expect(store).toEqual(["b"]);
		const bad = await run("write", { path: "a" });
		bad.agent.hooks.on("PreToolUse", () => ({ kind: "replace", value: { path: 1 } }));
		expect((await bad.call()).result.content).toMatch(/^Error: path .*\(input rewritten by a hook\)$/);
		expect(store).toEqual([]);
	});

	test("asks for permission with the hook's decision and input, and checks the answer's input", async () => {
		const asked: unknown[] = [];
		const { agent, call } = await run(
			"write",
			{ path: "a" },
			{
				authorize: async (facts, hookDecision) => {
					asked.push(facts, hookDecision);
					return { decision: "allow", updatedInput: { path: "c" } };
				},
			},
		);
		agent.hooks.on("PreToolUse", () => ({ kind: "replace", value: { path: "b" }, permission: "ask" }));
		await call();
		expect(asked).toEqual([{ toolUseId: "call_1", toolName: "write", input: { path: "b" } }, "ask"]);
		expect(store).toEqual(["c"]);
	});

	test("answers with an error when permission cannot be asked", async () => {
		const { call } = await run("write", { path: "a" }, { authorize: () => Promise.reject(new Error("main is gone")) });
		expect((await call()).result).toMatchObject({ content: "Error: main is gone", is_error: true });
		expect(store).toEqual([]);
	});

	test("ends the turn when a hook says stop", async () => {
		const { agent, call } = await run("write", { path: "a" });
		agent.hooks.on("PreToolUse", () => ({ kind: "stop", reason: "enough" }));
		expect(await call()).toMatchObject({ stop: "enough", result: { is_error: true } });
		expect(store).toEqual([]);
	});
});

describe("after the call", () => {
	const failing = (thrown: unknown) => ({
		tools: [
			tool("fail", () => {
				throw thrown;
			}),
		],
	});

	test("turns whatever a tool throws into an error result", async () => {
		const error = await run("fail", {}, failing(new Error("disk full")));
		expect((await error.call()).result).toMatchObject({ content: "Error: disk full", is_error: true });
		const own = await run("fail", {}, failing(new Error("Error: path escapes workspace: /etc")));
		expect((await own.call()).result.content).toBe("Error: path escapes workspace: /etc");
		const text = await run("fail", {}, failing("just words"));
		expect((await text.call()).result.content).toBe("Error: just words");
	});

	test.each([
		[undefined, "nothing"],
		[42, "number (42)"],
		[{ text: "hi" }, 'an object ({"text":"hi"})'],
		[{ content: [1] }, 'an object ({"content":[1]})'],
	])("shows output %j of a careless module as an error", async (output, shown) => {
		const { call } = await run("odd", {}, { tools: [tool("odd", () => output as unknown as string)] });
		expect((await call()).result).toMatchObject({
			is_error: true,
			content: `Error: tool 'odd' returned ${shown}; a tool must return a string or { content: string, isError?: boolean }`,
		});
	});

	test("shows that there was no output", async () => {
		const { call } = await run("mute", {}, { tools: [tool("mute", () => " \n")] });
		expect((await call()).result.content).toBe("(no output)");
	});

	test("lets a PostToolUse hook see, replace and comment the result", async () => {
		const { agent, call } = await run("write", { path: "a" });
		const seen: unknown[] = [];
		agent.hooks.on("PostToolUse", (facts) => {
			seen.push(facts);
			return { kind: "replace", value: "masked", context: "formatted" };
		});
		expect(await call()).toEqual({
			result: { type: "tool_result", tool_use_id: "call_1", content: "masked" },
			contexts: ['<hook-context event="PostToolUse">\nformatted\n</hook-context>'],
			stop: undefined,
		});
		expect(seen).toEqual([
			{
				toolUseId: "call_1",
				toolName: "write",
				input: { path: "a" },
				result: { content: "written", isError: false, durationMs: 0 },
			},
		]);
	});

	test("tells the model why a PostToolUse hook objects, and keeps the result", async () => {
		const { agent, call } = await run("write", { path: "a" });
		agent.hooks.on("PostToolUse", () => ({ kind: "block", reason: "lint failed" }));
		const outcome = await call();
		expect(outcome.result.content).toBe("written");
		expect(outcome.contexts[0]).toContain("lint failed");
	});

	test("reports start and end with a few words, and counts the call", async () => {
		const { agent, call } = await run("write", { path: "src/\n a.ts" });
		await call();
		expect(agent.events).toEqual([
			{ type: "tool-started", toolUseId: "call_1", name: "write", summary: "src/ a.ts" },
			{ type: "tool-finished", toolUseId: "call_1", name: "write", isError: false, preview: "written", durationMs: 0 },
		]);
		expect(agent.meter).toEqual(["tool-call"]);
	});
});

describe("large results", () => {
	test("go to a file, and the history keeps start, end and the path", async () => {
		const whole = `START${"x".repeat(50_000_000)}END`;
		const { agent, call } = await run("dump", {}, { tools: [tool("dump", () => whole)] });
		const content = String((await call()).result.content);
		const file = `${agent.deps.outputDir}/run_1-call_1.txt`;
		expect(content.length).toBeLessThan(9_000);
		expect(content.startsWith(`<persisted-output path="${file}" characters="50000008">`)).toBe(true);
		expect(content).toContain("\n\nSTARTx");
		expect(content).toContain("... (49992008 characters left out) ...");
		expect(content).toContain("xEND\n</persisted-output>");
		expect(readFileSync(file, "utf8") === whole).toBe(true);
	}, 30_000);

	test("stay whole up to the tool's own bound, but never take more than a quarter of the window", async () => {
		const output = "y".repeat(120_000);
		const options = { tools: [tool("read_file", () => output, { maxResultChars: 400_000 })] };
		expect((await (await run("read_file", {}, options)).call()).result.content).toBe(output);
		const small = await run("read_file", {}, { ...options, contextWindow: 32_000 });
		expect(String((await small.call()).result.content).length).toBeLessThan(9_000);
	});

	test("keep a preview when the file cannot be written", async () => {
		const options = { tools: [tool("dump", () => "z".repeat(60_000))], outputDir: "/nowhere/at/all" };
		const content = String((await (await run("dump", {}, options)).call()).result.content);
		expect(content).toContain("52000 characters left out; the whole could not be saved: ENOENT");
	});

	test("are named safely, whatever id a model makes up, and never hold half a character", async () => {
		const agent = fakeAgent({ tools: [tool("dump", () => `a${"\u{1f600}".repeat(600_000)}`)] });
		const id = "../../etc/passwd";
		const { result } = await runToolCall(agent.deps, { type: "tool_use", id, name: "dump", input: {} }, NEVER_ABORTS);
		expect(readdirSync(agent.deps.outputDir)).toEqual(["run_1-.2e.2e.2f.2e.2e.2fetc.2fpasswd.txt"]);
		expect(/\p{Surrogate}/u.test(String(result.content))).toBe(false);
		const [file = ""] = readdirSync(agent.deps.outputDir);
		expect(readFileSync(`${agent.deps.outputDir}/${file}`, "utf8").includes("\ufffd")).toBe(false);
	});
});
