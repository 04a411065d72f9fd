import { describe, expect, it, vi } from "vitest";
import { createOfflineProvider } from "../../../src/model/offline/offline-provider.ts";
import { surveyPrompt } from "../../../src/model/offline/survey-prompts.ts";
import { createFakeClock } from "../../../src/testing/fake-clock.ts";
import {
	ask,
	createAgent,
	EXPLORE_TOOLS,
	LEAD_TOOLS,
	makeTree,
	prompt,
	realTools,
	requestOf,
	userMessage,
} from "./fake-loop.ts";

// Real processes: a busy machine may take its time.
vi.setConfig({ testTimeout: 60_000 });

function hooksFor(signal = new AbortController().signal) {
	const texts: string[] = [];
	return { texts, signal, onText: (text: string) => void texts.push(text), onActivity: () => {}, onUsage: () => {} };
}

const survey = requestOf([userMessage(surveyPrompt("/w"))], LEAD_TOOLS, 7);

describe("the offline model", () => {
	it("replies as any model does: blocks, stop reason, estimated usage, its own name", async () => {
		const hooks = hooksFor();
		const reply = await createOfflineProvider({ provider: "offline" }, createFakeClock()).attempt(survey, hooks);
		expect(reply.content.map((block) => (block.type === "tool_use" ? [block.id, block.name] : block))).toEqual([
			{ type: "text", text: "Looking at `/w`." },
			["toolu_offline_7_1", "bash"],
			["toolu_offline_7_2", "glob"],
		]);
		expect([reply.stopReason, reply.model]).toEqual(["tool_use", "offline"]);
		const sent = survey.toolsJson.length + (survey.messagesJson[0]?.length ?? 0);
		expect(reply.usage).toEqual({
			inputTokens: Math.ceil(sent / 4),
			outputTokens: Math.ceil(JSON.stringify(reply.content).length / 4),
			cacheReadTokens: 0,
			cacheWriteTokens: 0,
		});
		expect(hooks.texts).toEqual(["Looking at `/w`."]);
	});

	it("gives the same request the same reply", async () => {
		expect(await ask(survey)).toEqual(await ask(survey));
	});

	it("takes as long as it is told", async () => {
		const clock = createFakeClock();
		let isDone = false;
		const reply = createOfflineProvider({ provider: "offline", delayMs: 500 }, clock)
			.attempt(survey, hooksFor())
			.then(() => {
				isDone = true;
			});
		await clock.advance(499);
		expect(isDone).toBe(false);
		await clock.advance(1);
		await reply;
		expect(clock.pending()).toBe(0);
	});

	it("stops waiting when the call is cancelled", async () => {
		const clock = createFakeClock();
		const controller = new AbortController();
		const provider = createOfflineProvider({ provider: "offline", delayMs: 500 }, clock);
		const reply = provider.attempt(survey, hooksFor(controller.signal));
		controller.abort(new Error("no longer wanted"));
		await expect(reply).rejects.toThrow("no longer wanted");
		expect(clock.pending()).toBe(0);
		await expect(provider.attempt(survey, hooksFor(controller.signal))).rejects.toThrow("no longer wanted");
	});

	it("reads what it can of a history it does not understand", async () => {
		const request = { ...requestOf([userMessage("help")], []), toolsJson: "not json" };
		const reply = await ask({ ...request, messagesJson: ["not json", '{"role":"user","content":"help"}'] });
		expect(JSON.stringify(reply.content)).toContain("I am the offline model");
		expect((await ask({ ...request, messagesJson: ["{}"] })).stopReason).toBe("end_turn");
	});
});

describe("a chat with the offline model", () => {
	async function chat(
		text: string,
		files: Record<string, string> = { "src/a.ts": "x.y()\nxzy\n", "my docs/b.md": "x.y\n" },
	) {
		return prompt(createAgent(EXPLORE_TOOLS, await realTools(await makeTree(files))), userMessage(text));
	}

	it("says what it is, what it can do and how to get Claude", async () => {
		const text = await chat("Please fix the bug in the parser.");
		expect(text).toContain("I am the offline model: fixed rules, no LLM.");
		expect(text).toContain("- `survey DIR`");
		expect(text).toContain("set ANTHROPIC_API_KEY");
	});

	it("lists files", async () => {
		expect(await chat('list files in "my docs"')).toMatch(/^```\nmy docs\/b\.md\n```\n\n_Written by the offline model/);
	});

	it("searches for a text as it stands", async () => {
		expect(await chat("search for x.y in src")).toMatch(/^```\nsrc\/a\.ts:1:x\.y\(\)\n```/);
		expect(await chat('search "x.y()"')).toMatch(/^```\nsrc\/a\.ts:1:x\.y\(\)\n```/);
	});

	it("says what went wrong", async () => {
		expect(await chat("list files in nowhere")).toMatch(/^glob failed: `Error: .*nowhere.*`/);
	});

	it("says when it lacks the tool", async () => {
		const reply = await ask(requestOf([userMessage("list files")], []));
		expect(JSON.stringify(reply.content)).toContain("That needs the tool glob, which I do not have here.");
	});

	it("answers the last request of several", async () => {
		const agent = createAgent(EXPLORE_TOOLS, await realTools(await makeTree({ "a.md": "hello\n" })));
		await prompt(agent, userMessage("list files"));
		expect(await prompt(agent, userMessage("search for hello"))).toMatch(/^```\na\.md:1:hello\n```/);
		expect(await prompt(agent, userMessage("thanks"))).toContain("I am the offline model");
	});
});
