import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compactNow } from "../../src/agent/compaction.ts";
import { runPrompt } from "../../src/agent/run-prompt.ts";
import { ClowderError } from "../../src/errors.ts";
import type { Message, UserBlock } from "../../src/wire/conversation.ts";
import type { ModelReply, ModelRequest } from "../../src/wire/model-call.ts";
import { calls, envelope, type FakeOptions, fakeAgent, NEVER_ABORTS, requestFaults, says, tool } from "./fake-deps.ts";

const GOAL = "Port the parser to TypeScript.\n\nEvery one of the 300 grammar files counts.";
const CONSTRAINT = "Never touch src/legacy, and keep the public names as they are.";
const NOW = "Now go through all the files.";

// Counts four bytes as one token and refuses what does not fit, as a provider does.
function counted(request: ModelRequest, window: number, play: Partial<ModelReply>): Partial<ModelReply> {
	const inputTokens = Math.ceil(request.messagesJson.reduce((sum, json) => sum + Buffer.byteLength(json), 0) / 4);
	if (inputTokens > window) throw new ClowderError("ERR_PROMPT_TOO_LONG", `${inputTokens} tokens > ${window}`);
	return { ...play, usage: { inputTokens, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0 } };
}

const isSummary = (request: ModelRequest) =>
	request.messagesJson.at(-1)?.includes("is about to be replaced by a summary") === true;
const userTexts = (messages: readonly Message[]) =>
	messages
		.filter((message) => message.role === "user")
		.flatMap((message) => message.content as UserBlock[])
		.flatMap((block) => (block.type === "text" ? [block.text] : []));
const tokens = (request: ModelRequest) =>
	request.messagesJson.reduce((sum, json) => sum + Buffer.byteLength(json), 0) / 4;

test("keeps 300 turns with 20 MB of results inside a window of 200,000 tokens, goal and constraints word for word", async () => {
	let turn = 0;
	const page = (input: unknown) => `page of turn ${(input as { turn: number }).turn}\n${"lorem ipsum ".repeat(2_800)}`;
	const agent = fakeAgent({
		plays: [says("What are the rules?"), says("Understood.")],
		afterwards: (request) => {
			if (isSummary(request)) return counted(request, 200_000, says(`Summary after turn ${turn}`));
			turn += 1;
			if (turn > 300) return counted(request, 200_000, says("All 300 are ported."));
			const ids = [`t${turn}a`, `t${turn}b`] as const;
			const { content = [] } = calls([ids[0], "read", { turn }], [ids[1], "read", { turn, more: true }]);
			const words = { type: "text", text: `File ${turn}: ${"done and checked. ".repeat(150)}` } as const;
			return counted(request, 200_000, { content: [words, ...content] });
		},
		tools: [tool("read", page, { readOnly: true })],
		limits: { turns: 400 },
		maxTokens: 32_000,
	});
	await runPrompt(agent.deps, GOAL, NEVER_ABORTS);
	await runPrompt(agent.deps, CONSTRAINT, NEVER_ABORTS);
	const outcome = await runPrompt(agent.deps, NOW, NEVER_ABORTS);

	expect(outcome).toEqual({ reason: "done", finalText: "All 300 are ported." });
	expect(600 * page({ turn: 100 }).length).toBeGreaterThan(20_000_000);
	expect(requestFaults(agent)).toEqual([]);
	expect(Math.max(...agent.requests.map(tokens))).toBeLessThan(168_000);
	expect(userTexts(agent.sent())).toEqual(expect.arrayContaining([GOAL, CONSTRAINT, NOW]));
	// The newest results are as the tool gave them.
	expect(JSON.stringify(agent.sent().at(-1))).toContain("page of turn 300\\n");
	const summaries = agent.requests.filter(isSummary).length;
	expect(summaries).toBeGreaterThan(0);
	expect(summaries).toBeLessThan(15);
	expect(userTexts(agent.sent()).some((text) => text.includes("Summary after turn"))).toBe(true);
}, 60_000);

// A lead that has read some files, with the next prompt to come.
async function readSome(options: FakeOptions & { readonly sizes: readonly number[] }) {
	const { sizes, ...more } = options;
	const agent = fakeAgent({
		plays: [
			...sizes.map((_size, index) => calls([`r${index}`, "read", { index }])),
			says("read them"),
			...(more.plays ?? []),
		],
		tools: [
			tool(
				"read",
				(input) => `${(input as { index: number }).index}:`.padEnd(sizes[(input as { index: number }).index] ?? 0, "w"),
				{
					maxResultChars: 400_000,
				},
			),
		],
		...(more.contextWindow === undefined ? {} : { contextWindow: more.contextWindow }),
		...(more.maxTokens === undefined ? {} : { maxTokens: more.maxTokens }),
	});
	await runPrompt(agent.deps, GOAL, NEVER_ABORTS);
	return agent;
}

const resultsOf = (messages: readonly Message[]) =>
	messages.flatMap((message) =>
		message.content.flatMap((block) => (block.type === "tool_result" ? [String(block.content)] : [])),
	);

describe("tool results", () => {
	test("go to files first, without asking the model", async () => {
		const agent = await readSome({
			sizes: [60_000, 60_000, 60_000, 60_000],
			contextWindow: 70_000,
			plays: [says("ok")],
		});
		await runPrompt(agent.deps, "go on", NEVER_ABORTS);
		expect(agent.requests.filter(isSummary)).toEqual([]);
		const [first = "", , , last = ""] = resultsOf(agent.sent());
		expect(first).toMatch(/^<persisted-output path="[^"]+" characters="60000">/);
		expect(first.length).toBeLessThan(9_000);
		expect(last).toHaveLength(60_000);
		const file = /path="([^"]+)"/.exec(first)?.[1] ?? "";
		expect(readFileSync(file, "utf8")).toHaveLength(60_000);
		expect(requestFaults(agent)).toEqual([]);
	});

	test("become stubs when previews are not enough, oldest first, and the file keeps the whole", async () => {
		const sizes = Array.from({ length: 30 }, () => 9_000);
		const agent = await readSome({ sizes, contextWindow: 80_000, plays: [says("ok")] });
		await runPrompt(agent.deps, "go on", NEVER_ABORTS);
		const results = resultsOf(agent.sent());
		expect(results[0]).toMatch(/characters="9000">Old result, cleared to save room/);
		expect(results.at(-1)).toHaveLength(9_000);
		const file = /path="([^"]+)"/.exec(results[0] ?? "")?.[1] ?? "";
		expect(readFileSync(file, "utf8").startsWith("0:www")).toBe(true);
	});

	test("never become a stub before the model has seen them: a hundred large ones become previews that fit together", async () => {
		const ids = Array.from({ length: 100 }, (_, index) => [`r${index}`, "read", { index }] as const);
		const agent = fakeAgent({
			plays: [calls(...ids), says("ok")],
			tools: [tool("read", (input) => `${JSON.stringify(input)}${"v".repeat(49_000)}`, { readOnly: true })],
		});
		expect(await runPrompt(agent.deps, GOAL, NEVER_ABORTS)).toEqual({ reason: "done", finalText: "ok" });
		const results = resultsOf(agent.sent(1));
		expect(results.every((text, index) => text.includes(`{"index":${index}}vvv`))).toBe(true);
		expect(results[0]).toMatch(/^<persisted-output path="[^"]+" characters="49011">/);
		expect(tokens(agent.requests[1] as ModelRequest)).toBeLessThan(100_000);
	});

	test("keep pointing to the whole when a preview becomes a stub", async () => {
		const agent = fakeAgent({
			plays: [...Array.from({ length: 12 }, (_, index) => calls([`r${index}`, "dump"])), says("done"), says("again")],
			tools: [tool("dump", () => "d".repeat(90_000))],
			contextWindow: 30_000,
		});
		await runPrompt(agent.deps, GOAL, NEVER_ABORTS);
		const [first = ""] = resultsOf(agent.sent());
		expect(first).toMatch(/characters="90000">Old result, cleared/);
		expect(readFileSync(/path="([^"]+)"/.exec(first)?.[1] ?? "", "utf8")).toHaveLength(90_000);
	});
});

describe("a prompt that is too long", () => {
	test("is compacted and tried once more", async () => {
		const tooLong = new ClowderError("ERR_PROMPT_TOO_LONG", "prompt is too long");
		const agent = await readSome({ sizes: [30_000, 30_000], plays: [tooLong, says("fits")] });
		expect(await runPrompt(agent.deps, "go on", NEVER_ABORTS)).toEqual({ reason: "done", finalText: "fits" });
		const [before, after] = [agent.requests.at(-2), agent.requests.at(-1)];
		expect(tokens(after as ModelRequest)).toBeLessThan(tokens(before as ModelRequest) / 2);
	});

	test("teaches a subagent a window smaller than it was told", async () => {
		let turn = 0;
		let tooLong = 0;
		const agent = fakeAgent({
			kind: "subagent",
			tools: [tool("read", () => "p".repeat(5_000), { readOnly: true })],
			afterwards: (request) => {
				if (tokens(request) > 8_000) {
					tooLong += 1;
					throw new ClowderError("ERR_PROMPT_TOO_LONG", "more than 8000 tokens");
				}
				if (isSummary(request)) return says("S");
				turn += 1;
				return turn > 40 ? says("done") : calls([`c${turn}`, "read", { turn }]);
			},
		});
		expect(await runPrompt(agent.deps, GOAL, NEVER_ABORTS)).toEqual({ reason: "done", finalText: "done" });
		expect(tooLong).toBeLessThan(3);
		expect(userTexts(agent.sent())[0]).toBe(GOAL);
		expect(requestFaults(agent)).toEqual([]);
	});

	test("ends as provider-error when it is still too long, or when nothing can go", async () => {
		const tooLong = new ClowderError("ERR_PROMPT_TOO_LONG", "prompt is too long");
		const again = await readSome({ sizes: [30_000], plays: [tooLong, tooLong] });
		const outcome = await runPrompt(again.deps, "go on", NEVER_ABORTS);
		expect(outcome.reason).toBe("provider-error");
		const single = fakeAgent({ plays: [tooLong] });
		expect(await runPrompt(single.deps, "x".repeat(1_000), NEVER_ABORTS)).toEqual({
			reason: "provider-error",
			finalText: "",
			error: "prompt is too long (nothing in it can be compacted)",
		});
	});

	test("stays too long when a PreCompact hook blocks, and the error says so", async () => {
		const tooLong = new ClowderError("ERR_PROMPT_TOO_LONG", "prompt is too long");
		const agent = await readSome({ sizes: [30_000], plays: [tooLong] });
		agent.hooks.on("PreCompact", ({ trigger }) => ({ kind: "block", reason: `no ${trigger} compaction` }));
		expect((await runPrompt(agent.deps, "go on", NEVER_ABORTS)).error).toBe(
			"prompt is too long (a PreCompact hook blocked the compaction: no auto compaction)",
		);
	});
});

describe("a summary", () => {
	test("stands between the user's texts, as they were, and the last turn", async () => {
		const agent = fakeAgent({ plays: [says("one"), says("two"), says("three"), says("THE SUMMARY"), says("four")] });
		for (const prompt of [GOAL, CONSTRAINT, NOW]) await runPrompt(agent.deps, prompt, NEVER_ABORTS);
		const padded = "p".repeat(3_000);
		agent.conversation.commit([{ role: "user", content: [{ type: "text", text: padded }] }], []);
		agent.conversation.commit([{ role: "assistant", content: [{ type: "text", text: padded }] }], []);
		agent.conversation.commit([{ role: "user", content: [{ type: "text", text: "last words" }] }], []);
		agent.conversation.commit([{ role: "assistant", content: [{ type: "text", text: "seen" }] }], []);
		const result = await compactNow(agent.deps, "the parser", NEVER_ABORTS);
		expect(result).toMatchObject({ kind: "compacted", summarised: true });
		expect(agent.requests.at(-1)).toMatchObject({ toolFree: true });
		expect(agent.lastTexts()[0]).toContain("Pay special attention to: the parser");
		const [head, tail] = agent.conversation.messages;
		const texts = userTexts([head as Message]);
		expect(texts.slice(0, 4)).toEqual([GOAL, CONSTRAINT, NOW, padded]);
		expect(texts[4]).toContain("THE SUMMARY");
		expect(texts[5]).toBe("last words");
		expect(tail).toEqual({ role: "assistant", content: [{ type: "text", text: "seen" }] });
		await runPrompt(agent.deps, "go on", NEVER_ABORTS);
		expect(requestFaults(agent)).toEqual([]);
	});

	test("is told to main as a whole new history", async () => {
		const agent = await readSome({ sizes: [20_000], plays: [says("S")] });
		await compactNow(agent.deps, "", NEVER_ABORTS);
		expect(agent.commits.at(-1)?.replaces).toBe(true);
		expect(agent.commits.at(-1)?.messages).toEqual(agent.conversation.messages);
	});

	test("keeps the newest and the first text of the user when there is no room for all", async () => {
		const agent = fakeAgent({ afterwards: says("ok"), contextWindow: 8_000 });
		const prompts = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(900, "."));
		for (const prompt of prompts) await runPrompt(agent.deps, prompt, NEVER_ABORTS);
		await compactNow(agent.deps, "", NEVER_ABORTS);
		const texts = userTexts(agent.conversation.messages).map((text) => text.replace(/\.+$/, ""));
		expect(texts[0]).toBe("0");
		expect(texts).toContain("11");
		expect(texts).not.toContain("1");
		expect(texts.some((text) => text.includes("more texts are only in the summary"))).toBe(true);
	});

	test("keeps the current request when it came from another agent", async () => {
		const agent = fakeAgent({ kind: "teammate", afterwards: says("ok") });
		agent.inbox.push(envelope({ kind: "task", from: "lead", body: `Autonomous task t1: ${"port ".repeat(300)}` }));
		await runPrompt(agent.deps, undefined, NEVER_ABORTS);
		agent.inbox.push(envelope({ id: "env_2", from: "lead", body: `and the tests, ${"please ".repeat(300)}` }));
		await runPrompt(agent.deps, undefined, NEVER_ABORTS);
		agent.inbox.push(envelope({ id: "env_3", kind: "notification", body: "done ".repeat(900) }));
		await runPrompt(agent.deps, undefined, NEVER_ABORTS);
		expect(await compactNow(agent.deps, "", NEVER_ABORTS)).toMatchObject({ kind: "compacted" });
		const texts = userTexts(agent.conversation.messages);
		expect(texts[0]).toContain("Autonomous task t1");
		expect(texts.at(-1)).toContain("and the tests, please");
		expect(texts.join()).not.toContain("done done");
	});

	test("that fails loses nothing", async () => {
		const agent = await readSome({ sizes: [4_000], plays: [new ClowderError("ERR_MODEL_SERVER", "500")] });
		const before = agent.conversation.messagesJson;
		expect(await compactNow(agent.deps, "", NEVER_ABORTS)).toEqual({ kind: "failed", error: "500" });
		expect(agent.conversation.messagesJson).toEqual(before);
		expect(agent.events.at(-1)).toEqual({ type: "notice", text: "The conversation could not be summarised: 500" });
	});

	test("that is refused, empty or interrupted loses nothing either", async () => {
		for (const play of [says("no", { stopReason: "refusal" }), says(" ")]) {
			const agent = await readSome({ sizes: [4_000], plays: [play] });
			const before = agent.conversation.messagesJson;
			expect((await compactNow(agent.deps, "", NEVER_ABORTS)).kind).toBe("failed");
			expect(agent.conversation.messagesJson).toEqual(before);
		}
		const controller = new AbortController();
		const hanging = await readSome({
			sizes: [4_000],
			plays: [
				() => {
					controller.abort();
					return new Promise<never>(() => {});
				},
			],
		});
		const before = hanging.conversation.messagesJson;
		expect((await compactNow(hanging.deps, "", controller.signal)).kind).toBe("failed");
		expect(hanging.conversation.messagesJson).toEqual(before);
	});

	test("is asked of a shorter conversation when all of it does not fit", async () => {
		let refused = 0;
		const agent = fakeAgent({
			afterwards: (request) => {
				if (!isSummary(request)) return says("ok ".repeat(400));
				if (tokens(request) > 4_000 && ++refused < 3) throw new ClowderError("ERR_PROMPT_TOO_LONG", "too long");
				return says("S");
			},
			contextWindow: 12_000,
		});
		for (let index = 0; index < 20; index += 1) await runPrompt(agent.deps, `${index} `.repeat(100), NEVER_ABORTS);
		expect(await compactNow(agent.deps, "", NEVER_ABORTS)).toMatchObject({ kind: "compacted", summarised: true });
		expect(requestFaults(agent)).toEqual([]);
	});
});

test("says that there is nothing to compact in a short or empty conversation", async () => {
	const empty = fakeAgent({});
	expect(await compactNow(empty.deps, "", NEVER_ABORTS)).toEqual({ kind: "unchanged" });
	const short = fakeAgent({ plays: [says("hello")] });
	await runPrompt(short.deps, "hi", NEVER_ABORTS);
	expect(await compactNow(short.deps, "", NEVER_ABORTS)).toEqual({ kind: "unchanged" });
});

test("asks for no longer reply than the window has room for", async () => {
	const agent = fakeAgent({ afterwards: says("ok"), contextWindow: 10_000, maxTokens: 8_000 });
	await runPrompt(agent.deps, "w".repeat(17_500), NEVER_ABORTS);
	expect(agent.requests[0]?.maxTokens).toBeLessThan(4_800);
	expect(agent.requests[0]?.maxTokens).toBeGreaterThan(4_500);
});

test("does not ask for a summary on every turn when system prompt and tools alone fill the window", async () => {
	let turn = 0;
	const agent = fakeAgent({
		system: "s".repeat(25_000),
		contextWindow: 8_000,
		maxTokens: 500,
		tools: [tool("step", () => "a few words")],
		afterwards: (request) => {
			if (isSummary(request)) return says("S");
			turn += 1;
			return turn > 20 ? says("done") : calls([`c${turn}`, "step"]);
		},
	});
	expect((await runPrompt(agent.deps, GOAL, NEVER_ABORTS)).reason).toBe("done");
	expect(agent.requests.filter(isSummary).length).toBeLessThan(5);
});
