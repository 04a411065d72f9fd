import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isClowderError } from "../../src/errors.ts";
import { createGateway } from "../../src/model/gateway.ts";
import type { AttemptReply } from "../../src/model/provider.ts";
import { createScriptedProvider } from "../../src/model/scripted-provider.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import {
	callTool,
	callTools,
	failWith,
	type ScriptedAgents,
	say,
	scriptedModel,
} from "../../src/testing/scripted-model.ts";
import type { Script } from "../../src/wire/model-config.ts";
import { caller, createAgentSide, request, user } from "./harness.ts";

async function play(source: ScriptedAgents | Script) {
	const clock = createFakeClock(0);
	const provider = await createScriptedProvider(scriptedModel(source), clock);
	const texts: string[] = [];
	const controller = new AbortController();
	const attempt = (over: Parameters<typeof request>[0] = {}) =>
		provider.attempt(request(over), {
			signal: controller.signal,
			onText: (text) => texts.push(text),
			onActivity: () => {},
		});
	return { clock, attempt, texts, controller };
}

const codeOf = (attempted: Promise<AttemptReply>) =>
	attempted.then(
		() => "replied",
		(thrown: unknown) => (isClowderError(thrown) ? thrown.code : String(thrown)),
	);

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/model/${name}`, import.meta.url));

describe("createScriptedProvider", () => {
	it("plays text, tool calls and whole content", async () => {
		const { attempt } = await play({
			lead: [
				say("Looking."),
				callTools({ name: "glob", input: { pattern: "*" } }, { name: "grep", input: {}, id: "mine" }),
				callTool("bash", { command: "ls" }, { text: "Now this." }),
				{ content: [{ type: "thinking", thinking: "hm", signature: "s" }], stopReason: "pause_turn" },
			],
		});
		const replies = [];
		for (const turn of [1, 2, 3, 4]) replies.push(await attempt({ caller: caller({ turn }) }));
		expect(replies.map(({ content, stopReason }) => [stopReason, content])).toEqual([
			["end_turn", [{ type: "text", text: "Looking." }]],
			[
				"tool_use",
				[
					{ type: "tool_use", id: "toolu_lead_2_1", name: "glob", input: { pattern: "*" } },
					{ type: "tool_use", id: "mine", name: "grep", input: {} },
				],
			],
			[
				"tool_use",
				[
					{ type: "text", text: "Now this." },
					{ type: "tool_use", id: "toolu_lead_3_1", name: "bash", input: { command: "ls" } },
				],
			],
			["pause_turn", [{ type: "thinking", thinking: "hm", signature: "s" }]],
		]);
	});

	it("makes tool call ids of any agent's name that the API accepts", async () => {
		const { attempt } = await play({ "*": [callTool("glob", {})] });
		const { content } = await attempt({ caller: caller({ name: "find the auth files (ä)" }) });
		expect(content).toMatchObject([{ id: "toolu_find-the-auth-files-_1_1" }]);
	});

	it("prefers run id, then name, then type, then any", async () => {
		const { attempt } = await play({
			task_1: [say("id")],
			bob: [say("name")],
			explore: [say("type")],
			"*": [say("any")],
		});
		const who = [
			caller({ name: "bob", agentType: "explore" }),
			caller({ runId: "2", name: "bob", agentType: "explore" }),
			caller({ runId: "3", name: "x", agentType: "explore" }),
			caller({ runId: "4", name: "x", agentType: "y" }),
		];
		const replies = await Promise.all(who.map((one) => attempt({ caller: one })));
		expect(replies.map(({ content }) => content)).toEqual(
			["id", "name", "type", "any"].map((text) => [{ type: "text", text }]),
		);
	});

	it("plays each run's list from its start, one reply per attempt", async () => {
		const { attempt, texts } = await play({ explore: [failWith(500), say("one"), say("two")] });
		const a = caller({ runId: "a", agentType: "explore" });
		const b = caller({ runId: "b", agentType: "explore" });
		expect(await codeOf(attempt({ caller: a }))).toBe("ERR_MODEL_SERVER");
		await attempt({ caller: a });
		expect(await codeOf(attempt({ caller: b }))).toBe("ERR_MODEL_SERVER");
		await attempt({ caller: { ...a, turn: 2 } });
		expect(texts).toEqual(["one", "two"]);
	});

	it("goes on at a run's own turn when it has not seen the run before", async () => {
		const { attempt, texts } = await play({ "*": [say("one"), say("two"), say("three")] });
		await attempt({ caller: caller({ turn: 3 }) });
		expect(texts).toEqual(["three"]);
	});

	it("fails past the end, or repeats the last reply", async () => {
		const short = await play({ lead: [say("only")] });
		await short.attempt();
		await expect(short.attempt({ caller: caller({ turn: 2 }) })).rejects.toThrow(
			'The script has 1 replies for the agent "lead" (type "general"), but its call 2 needs one more. Add a reply, or set afterEnd to "repeat"',
		);
		const endless = await play({ agents: { lead: [say("first"), say("again")] }, afterEnd: "repeat" });
		for (const turn of [1, 2, 3, 4]) await endless.attempt({ caller: caller({ turn }) });
		expect(endless.texts).toEqual(["first", "again", "again", "again"]);
	});

	it("names the agents it knows when it does not know the caller", async () => {
		const { attempt } = await play({ bob: [say("hi")] });
		await expect(attempt()).rejects.toThrow(/no replies for the agent "lead".*It names "bob"/);
	});

	it("waits on the clock, and stops waiting when cancelled", async () => {
		const { clock, attempt, texts, controller } = await play({
			lead: [say("slow", { delayMs: 5_000 }), say("x", { delayMs: 5_000 })],
		});
		const first = attempt();
		await clock.advance(4_999);
		expect(texts).toEqual([]);
		await clock.advance(1);
		await first;
		expect(texts).toEqual(["slow"]);
		const second = codeOf(attempt());
		controller.abort();
		expect(await second).toBe("ERR_ABORTED");
		expect(clock.pending()).toBe(0);
	});

	it("splits text into deltas without cutting a character", async () => {
		const { attempt, texts } = await play({ lead: [say("ab👩c", { deltas: 4 })] });
		await attempt();
		expect(texts).toEqual(["a", "b", "👩", "c"]);
	});

	it("counts tokens from lengths unless the script says otherwise", async () => {
		const { attempt } = await play({ lead: [say("12345678"), say("x", { usage: { inputTokens: 10_000 } })] });
		const first = await attempt({ system: "s".repeat(100), messagesJson: ["m".repeat(298)] });
		expect(first.usage).toEqual({ inputTokens: 100, outputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0 });
		expect((await attempt()).usage.inputTokens).toBe(10_000);
	});

	it.each([
		[401, "ERR_MODEL_AUTH"],
		[404, "ERR_MODEL_NOT_FOUND"],
		[413, "ERR_PROMPT_TOO_LONG"],
		[429, "ERR_MODEL_RATE_LIMITED"],
		[529, "ERR_MODEL_OVERLOADED"],
		[0, "ERR_MODEL_UNREACHABLE"],
	])("fails with status %i as the provider would: %s", async (status, code) => {
		const { attempt } = await play({ lead: [failWith(status)] });
		expect(await codeOf(attempt())).toBe(code);
	});

	it("recognises a prompt that is too long by its text", async () => {
		const { attempt } = await play({ lead: [failWith(400, { message: "prompt is too long: 9 tokens > 8 maximum" })] });
		expect(await codeOf(attempt())).toBe("ERR_PROMPT_TOO_LONG");
	});

	it("cuts and stalls after its deltas", async () => {
		const { clock, attempt, texts, controller } = await play({
			lead: [say("abcd", { deltas: 2, fault: "cut" }), say("ef", { deltas: 2, fault: "stall" })],
		});
		expect(await codeOf(attempt())).toBe("ERR_MODEL_SERVER");
		const stalled = codeOf(attempt());
		await clock.advance(3_600_000);
		expect(texts).toEqual(["ab", "cd", "e", "f"]);
		controller.abort();
		expect(await stalled).toBe("ERR_ABORTED");
	});
});

describe("script modules", () => {
	async function ask(name: string, over: Parameters<typeof request>[0] = {}) {
		const clock = createFakeClock(0);
		const gateway = createGateway({ config: scriptedModel({ module: fixture(name) }), clock, random: () => 0.5 });
		const side = createAgentSide();
		gateway.connect(side.port);
		side.start(1, over);
		await expect.poll(() => side.events.length, { interval: 5, timeout: 8_000 }).toBe(1);
		await clock.advance(2_000);
		return side;
	}

	it("decide each reply from the call, retries included", async () => {
		const side = await ask("echo-script.mjs", {
			messagesJson: [JSON.stringify(user("ping"))],
			toolsJson: '[{"name":"glob"}]',
			toolFree: true,
		});
		expect(side.of(1).map(({ type }) => type)).toEqual(["call-retrying", "call-finished"]);
		expect(side.of(1).at(-1)).toMatchObject({
			reply: { content: [{ type: "text", text: "lead|2|claude-sonnet-5-5|You help.|1|true|ping" }], durationMs: 1_050 },
		});
	});

	it("may be a script as data", async () => {
		const side = await ask("data-script.mjs");
		expect(side.of(1)).toMatchObject([{ reply: { content: [{ type: "text", text: "from data" }] } }]);
	});

	it.each([
		["no-script.mjs", /has no script as its default export/],
		["missing.mjs", /cannot be loaded: .*missing\.mjs/],
	])("fail the call with the reason when unusable: %s", async (name, reason) => {
		const side = await ask(name);
		expect(side.of(1)).toMatchObject([{ error: { code: "ERR_MODEL_CONFIG", message: expect.stringMatching(reason) } }]);
	});
});
