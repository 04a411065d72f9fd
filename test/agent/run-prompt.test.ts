import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InterruptReason } from "../../src/agent/interrupt-reason.ts";
import { runPrompt } from "../../src/agent/run-prompt.ts";
import { ClowderError } from "../../src/errors.ts";
import { CONTINUE } from "../../src/hooks/events.ts";
import { calls, envelope, fakeAgent, NEVER_ABORTS, requestFaults, says, tool } from "./fake-deps.ts";

const echo = tool("echo", (input) => JSON.stringify(input));

describe("turns", () => {
	test("ends with the model's words when it calls nothing", async () => {
		const agent = fakeAgent({ plays: [says("hello")] });
		expect(await runPrompt(agent.deps, "hi", NEVER_ABORTS)).toEqual({ reason: "done", finalText: "hello" });
		expect(agent.conversation.messages).toEqual([
			{ role: "user", content: [{ type: "text", text: "hi" }] },
			{ role: "assistant", content: [{ type: "text", text: "hello" }] },
		]);
	});

	test("answers all calls of a reply in one user message, in their order", async () => {
		const agent = fakeAgent({
			plays: [calls(["a", "echo", { n: 1 }], ["b", "echo", { n: 2 }]), says("done")],
			tools: [echo],
		});
		await runPrompt(agent.deps, "go", NEVER_ABORTS);
		expect(agent.sent(1).at(-1)).toEqual({
			role: "user",
			content: [
				{ type: "tool_result", tool_use_id: "a", content: '{"n":1}' },
				{ type: "tool_result", tool_use_id: "b", content: '{"n":2}' },
			],
		});
	});

	test("decides by the calls that are there, not by the stop reason", async () => {
		const agent = fakeAgent({
			plays: [{ ...calls(["a", "echo"]), stopReason: "end_turn" }, says("done", { stopReason: "tool_use" })],
			tools: [echo],
		});
		expect(await runPrompt(agent.deps, "go", NEVER_ABORTS)).toEqual({ reason: "done", finalText: "done" });
		expect(agent.requests).toHaveLength(2);
	});

	test("commits a reply, and meters it, before its tools run", async () => {
		const seen: string[] = [];
		const agent = fakeAgent({
			plays: [calls(["a", "look"]), says("done")],
			tools: [
				tool("look", () => {
					seen.push(agent.conversation.messages.at(-1)?.role ?? "", ...agent.meter);
					return "ok";
				}),
			],
		});
		await runPrompt(agent.deps, "go", NEVER_ABORTS);
		expect(seen).toEqual(["assistant", "turn", "model", "reply 10/5", "tool", "tool-call"]);
	});

	test("numbers the model calls of the agent's life, from prompt to prompt", async () => {
		const agent = fakeAgent({ plays: [calls(["a", "echo"]), says("one"), says("two")], tools: [echo] });
		agent.deps.state.calls = 7;
		await runPrompt(agent.deps, "first", NEVER_ABORTS);
		await runPrompt(agent.deps, "second", NEVER_ABORTS);
		expect(agent.requests.map((request) => request.caller.turn)).toEqual([8, 9, 10]);
		expect(agent.events.filter((event) => event.type === "turn-started").map((event) => event.turn)).toEqual([
			8, 9, 10,
		]);
	});

	test("shows the text as it arrives and voids it when the stream is tried again", async () => {
		const agent = fakeAgent({ deltas: true });
		const callModel: typeof agent.deps.callModel = async (request, options) => {
			options.onRetry?.({ attempt: 1, delayMs: 2_500, message: "the error of a call before" });
			options.onDelta?.("hel");
			options.onRetry?.({ attempt: 2, delayMs: 5, message: "stream broke" });
			options.onDelta?.("hello");
			expect(request.deltas).toBe(true);
			return { ...says("hello"), stopReason: "end_turn", model: "m", costUsd: 0, durationMs: 1, usage } as never;
		};
		const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
		await runPrompt({ ...agent.deps, callModel }, "hi", NEVER_ABORTS);
		expect(agent.events).toEqual([
			{ type: "turn-started", turn: 1 },
			{ type: "text-reset", detail: "Calls to the model wait 3 s, after one that failed" },
			{ type: "text-delta", text: "hel" },
			{ type: "text-reset", detail: "Attempt 2: stream broke" },
			{ type: "text-delta", text: "hello" },
		]);
	});

	test("mends a reply the API would refuse in the next request: repeated ids, blank text, input that is no object", async () => {
		const agent = fakeAgent({
			plays: [
				calls(["same", "echo", { n: 1 }]),
				{
					content: [
						{ type: "text", text: "  " },
						{ type: "thinking", thinking: "cut", signature: "" },
						{ type: "tool_use", id: "same", name: "echo", input: "words" },
						{ type: "tool_use", id: "", name: "no such tool!", input: {} },
					],
				},
				says("done"),
			],
			tools: [echo],
		});
		await runPrompt(agent.deps, "go", NEVER_ABORTS);
		expect(requestFaults(agent)).toEqual([]);
		const last = agent.sent().at(-1);
		expect(last?.content.map((block) => (block.type === "tool_result" ? block.content : ""))).toEqual([
			'{"value":"words"}',
			"Error: unknown tool 'no_such_tool_'. Known tools: echo",
		]);
	});

	test("continues after pause_turn", async () => {
		const agent = fakeAgent({ plays: [says("half ", { stopReason: "pause_turn" }), says("whole")] });
		expect(await runPrompt(agent.deps, "go", NEVER_ABORTS)).toEqual({ reason: "done", finalText: "half whole" });
		expect(requestFaults(agent)).toEqual([]);
	});
});

describe("ends", () => {
	test("ends as refused when the model refuses, without the calls of that reply", async () => {
		const agent = fakeAgent({ plays: [{ ...calls(["a", "echo"]), stopReason: "refusal" }], tools: [echo] });
		expect(await runPrompt(agent.deps, "go", NEVER_ABORTS)).toEqual({
			reason: "refused",
			finalText: "",
			error: "The model refused to answer",
		});
		expect(agent.conversation.messages).toHaveLength(1);
	});

	test("ends as provider-error with the error and what text there was", async () => {
		const agent = fakeAgent({
			plays: [
				{ content: [{ type: "text", text: "looking" }, ...(calls(["a", "echo"]).content ?? [])] },
				new ClowderError("ERR_MODEL_SERVER", "The provider answered 500"),
			],
			tools: [echo],
			kind: "subagent",
		});
		expect(await runPrompt(agent.deps, "go", NEVER_ABORTS)).toEqual({
			reason: "provider-error",
			finalText: "looking",
			error: "The provider answered 500",
		});
	});

	test("ends as budget when a reservation is refused", async () => {
		const agent = fakeAgent({ plays: [new ClowderError("ERR_BUDGET", "Only $0.01 is left")] });
		const outcome = await runPrompt(agent.deps, "go", NEVER_ABORTS);
		expect(outcome).toEqual({ reason: "budget", finalText: "", error: "Only $0.01 is left" });
	});

	test("fails a subagent that says nothing, and lets a lead be silent", async () => {
		const silent = { content: [{ type: "text", text: " " }] } as const;
		const subagent = fakeAgent({ plays: [silent], kind: "subagent" });
		expect(await runPrompt(subagent.deps, "go", NEVER_ABORTS)).toEqual({
			reason: "empty-result",
			finalText: "(subagent returned no text)",
			error: "The last reply held no text",
		});
		const lead = fakeAgent({ plays: [silent, says("again")] });
		expect(await runPrompt(lead.deps, "go", NEVER_ABORTS)).toEqual({ reason: "done", finalText: "" });
		expect((await runPrompt(lead.deps, "and?", NEVER_ABORTS)).finalText).toBe("again");
		expect(requestFaults(lead)).toEqual([]);
	});

	test("stays valid when a prompt follows one that failed", async () => {
		const agent = fakeAgent({ plays: [new ClowderError("ERR_MODEL_SERVER", "500"), says("ok")] });
		await runPrompt(agent.deps, "first", NEVER_ABORTS);
		await runPrompt(agent.deps, "second", NEVER_ABORTS);
		expect(agent.lastTexts()).toEqual(["first", "second"]);
		expect(requestFaults(agent)).toEqual([]);
	});
});

describe("mail", () => {
	test("delivers a message that comes during tool 1 of 3 in the next request, after the results", async () => {
		const agent = fakeAgent({
			plays: [calls(["a", "first"], ["b", "echo"], ["c", "echo"]), says("done")],
			tools: [
				tool("first", () => {
					agent.inbox.push(envelope({ id: "env_9", body: "stop using v1" }));
					return "1";
				}),
				echo,
			],
		});
		await runPrompt(agent.deps, "go", NEVER_ABORTS);
		const blocks = agent.sent(1).at(-1)?.content ?? [];
		expect(blocks.map((block) => block.type)).toEqual(["tool_result", "tool_result", "tool_result", "text"]);
		expect(agent.lastTexts(1)[0]).toContain("stop using v1");
		const commit = agent.commits.find(({ acknowledged }) => acknowledged.length > 0);
		expect(commit?.acknowledged).toEqual(["env_9"]);
		expect(JSON.stringify(commit?.messages)).toContain("stop using v1");
	});

	test("works on its mail when woken, and acknowledges it in the same commit", async () => {
		const agent = fakeAgent({ plays: [says("read")] });
		agent.inbox.push(envelope({ id: "one", body: "A" }), envelope({ id: "two", body: "B" }));
		expect(await runPrompt(agent.deps, undefined, NEVER_ABORTS)).toEqual({ reason: "done", finalText: "read" });
		expect(agent.commits[0]?.acknowledged).toEqual(["one", "two"]);
		expect(agent.lastTexts(0)).toHaveLength(2);
	});

	test("does nothing when woken without mail", async () => {
		const agent = fakeAgent({ kind: "subagent" });
		expect(await runPrompt(agent.deps, undefined, NEVER_ABORTS)).toEqual({ reason: "done", finalText: "" });
		expect(agent.commits).toEqual([]);
	});

	test("keeps mail that was taken when the prompt is stopped at once", async () => {
		const agent = fakeAgent({});
		agent.inbox.push(envelope({ id: "one" }));
		await runPrompt(agent.deps, undefined, AbortSignal.abort(new InterruptReason("Ctrl-C")));
		expect(agent.commits.map(({ acknowledged }) => acknowledged)).toEqual([["one"]]);
	});

	test("puts long mail into files and keeps start, end and path", async () => {
		const agent = fakeAgent({ plays: [says("read")] });
		const body = `FIRST ${"m".repeat(100_000)} LAST`;
		agent.inbox.push(...["a", "b"].map((id) => envelope({ id, body, kind: "notification" })));
		await runPrompt(agent.deps, undefined, NEVER_ABORTS);
		const [text = ""] = agent.lastTexts(0);
		expect(text.length).toBeLessThan(31_000);
		expect(text).toMatch(
			/<result>\nFIRST m+\n\n\.\.\. \(70011 characters left out; the whole is in [^)]+\) \.\.\.\n\nm+ LAST\n<\/result>/,
		);
		const file = /whole is in ([^)]+)\)/.exec(text)?.[1] ?? "";
		expect(readFileSync(file, "utf8")).toBe(body);
	});

	test("adds reminders once per boundary, marked as the program's", async () => {
		let asked = 0;
		const reminders = () => [`reminder ${++asked}`, ""];
		const agent = fakeAgent({ plays: [calls(["a", "echo"]), says("done")], tools: [echo], reminders });
		await runPrompt(agent.deps, "go", NEVER_ABORTS);
		expect(agent.lastTexts(0)).toEqual(["go", "<system-reminder>\nreminder 1\n</system-reminder>"]);
		expect(agent.lastTexts(1)).toEqual(["<system-reminder>\nreminder 2\n</system-reminder>"]);
	});
});

describe("caps", () => {
	const working = (id: string) => ({
		...calls([id, "echo"]),
		usage: { inputTokens: 8_000, outputTokens: 1_000, cacheReadTokens: 500, cacheWriteTokens: 500 },
	});

	test("ends at the turn cap with one tool-free turn and its text, never as done", async () => {
		const agent = fakeAgent({
			plays: [calls(["a", "echo"]), calls(["b", "echo"]), says("I read two files")],
			tools: [echo],
			limits: { turns: 2 },
		});
		expect(await runPrompt(agent.deps, "go", NEVER_ABORTS)).toEqual({
			reason: "max-turns",
			finalText: "I read two files",
			error: "Stopped at the limit of 2 turns",
		});
		const short = fakeAgent({ plays: [calls(["a", "echo"]), says("over")], tools: [echo], limits: { turns: 1 } });
		expect(await runPrompt(short.deps, "go", NEVER_ABORTS)).toMatchObject({ error: "Stopped at the limit of 1 turn" });
		expect(agent.requests.map((request) => request.toolFree)).toEqual([undefined, undefined, true]);
		expect(agent.lastTexts().at(-1)).toContain("The limit of 2 turns for this task is reached");
		expect(requestFaults(agent)).toEqual([]);
	});

	test("ends at 50 turns when no cap is named", async () => {
		let turn = 0;
		const agent = fakeAgent({
			tools: [echo],
			afterwards: () => (turn++ < 50 ? calls([`c${turn}`, "echo"]) : says("sum")),
		});
		expect((await runPrompt(agent.deps, "go", NEVER_ABORTS)).reason).toBe("max-turns");
		expect(agent.requests).toHaveLength(51);
	});

	test("ends at the token cap: 10k a turn, cap 35k", async () => {
		let turn = 0;
		const agent = fakeAgent({
			tools: [echo],
			limits: { tokens: 35_000 },
			afterwards: (request) => (request.toolFree ? says("so far") : working(`c${turn++}`)),
		});
		const outcome = await runPrompt(agent.deps, "go", NEVER_ABORTS);
		expect(outcome).toEqual({ reason: "budget", finalText: "so far", error: "Stopped at the limit of 35000 tokens" });
		expect(agent.requests).toHaveLength(5);
	});

	test("ends at the cost cap, with earlier text when the last turn fails or only calls tools", async () => {
		const spending = {
			content: [{ type: "text" as const, text: "step" }, ...(calls(["a", "echo"]).content ?? [])],
			costUsd: 0.6,
		};
		const failing = fakeAgent({
			plays: [spending, new ClowderError("ERR_MODEL_OVERLOADED", "529")],
			tools: [echo],
			limits: { usd: 0.5 },
		});
		expect(await runPrompt(failing.deps, "go", NEVER_ABORTS)).toEqual({
			reason: "budget",
			finalText: "step",
			error: "Stopped at the limit of $0.5; the last summary failed: 529",
		});
		const stubborn = fakeAgent({ plays: [spending, calls(["b", "echo"])], tools: [echo], limits: { usd: 0.5 } });
		expect((await runPrompt(stubborn.deps, "go", NEVER_ABORTS)).finalText).toBe("step");
		expect(stubborn.conversation.messages.at(-1)?.role).toBe("user");
	});

	test("counts from each prompt of a lead, and over the whole life of a subagent", async () => {
		const plays = [calls(["a", "echo"]), says("one"), calls(["b", "echo"]), says("two")];
		const lead = fakeAgent({ plays, tools: [echo], limits: { turns: 2 } });
		await runPrompt(lead.deps, "first", NEVER_ABORTS);
		expect((await runPrompt(lead.deps, "second", NEVER_ABORTS)).reason).toBe("done");
		const subagent = fakeAgent({ plays, tools: [echo], limits: { turns: 3 }, kind: "subagent" });
		await runPrompt(subagent.deps, "first", NEVER_ABORTS);
		expect((await runPrompt(subagent.deps, "second", NEVER_ABORTS)).reason).toBe("max-turns");
	});
});

describe("prompts that cannot be worked on", () => {
	test("are refused before anything is committed: blank, or longer than the window", async () => {
		const agent = fakeAgent({ contextWindow: 1_000 });
		expect((await runPrompt(agent.deps, " \n", NEVER_ABORTS)).error).toBe("The prompt is empty");
		const outcome = await runPrompt(agent.deps, "w".repeat(7_000), NEVER_ABORTS);
		expect(outcome).toEqual({
			reason: "refused",
			finalText: "",
			error:
				"The prompt is too long: about 2000 tokens, and the model's window holds 1000. " +
				"Put the text into a file and name the file",
		});
		expect(agent.commits).toEqual([]);
	});
});

describe("hooks of the prompt", () => {
	test("blocks a prompt before anything is committed", async () => {
		const agent = fakeAgent({});
		agent.hooks.on("UserPromptSubmit", () => ({ kind: "block", reason: "no secrets here" }));
		expect(await runPrompt(agent.deps, "key: 123", NEVER_ABORTS)).toEqual({
			reason: "refused",
			finalText: "",
			error: "A hook blocked the prompt: no secrets here",
		});
		expect(agent.commits).toEqual([]);
	});

	test("adds what a hook says about the prompt", async () => {
		const agent = fakeAgent({ plays: [says("ok")] });
		agent.hooks.on("UserPromptSubmit", ({ prompt }) => ({ kind: "continue", context: `about ${prompt}` }));
		await runPrompt(agent.deps, "x", NEVER_ABORTS);
		expect(agent.lastTexts(0)).toEqual(["x", '<hook-context event="UserPromptSubmit">\nabout x\n</hook-context>']);
	});

	test("goes on with the reason when a Stop hook blocks", async () => {
		const agent = fakeAgent({ plays: [says("done?"), says("done!")] });
		const asked: unknown[] = [];
		agent.hooks.on("Stop", (facts) => {
			asked.push(facts);
			return facts.stopHookActive ? { kind: "continue" } : { kind: "block", reason: "tests are red" };
		});
		expect(await runPrompt(agent.deps, "go", NEVER_ABORTS)).toEqual({ reason: "done", finalText: "done!" });
		expect(agent.lastTexts()[0]).toContain("tests are red");
		expect(asked).toEqual([
			{ stopHookActive: false, lastAssistantMessage: "done?" },
			{ stopHookActive: true, lastAssistantMessage: "done!" },
		]);
	});

	test("lets a Stop hook keep the agent going 8 times at most", async () => {
		const agent = fakeAgent({ afterwards: says("done") });
		agent.hooks.on("Stop", () => ({ kind: "block", reason: "more" }));
		expect((await runPrompt(agent.deps, "go", NEVER_ABORTS)).reason).toBe("done");
		expect(agent.requests).toHaveLength(9);
	});

	test("ends as interrupted when a hook stops the turn, with every call answered", async () => {
		const agent = fakeAgent({ plays: [calls(["a", "echo"], ["b", "echo"]), says("ok")], tools: [echo] });
		agent.hooks.on("PreToolUse", () => ({ kind: "stop", reason: "budget talk first" }));
		expect(await runPrompt(agent.deps, "go", NEVER_ABORTS)).toEqual({
			reason: "interrupted",
			finalText: "",
			error: "A hook stopped the turn: budget talk first",
		});
		await runPrompt(agent.deps, "now?", NEVER_ABORTS);
		expect(agent.lastTexts()[0]).toContain("This was interrupted here");
		expect(requestFaults(agent)).toEqual([]);
	});

	test("asks SubagentStop, not Stop, for a subagent", async () => {
		const agent = fakeAgent({ plays: [says("r")], kind: "subagent" });
		const fired: string[] = [];
		const note = (event: string) => {
			fired.push(event);
			return CONTINUE;
		};
		agent.hooks.on("Stop", () => note("Stop"));
		agent.hooks.on("SubagentStop", ({ agentType }) => note(`SubagentStop ${agentType}`));
		await runPrompt(agent.deps, "go", NEVER_ABORTS);
		expect(fired).toEqual(["SubagentStop general"]);
	});
});
