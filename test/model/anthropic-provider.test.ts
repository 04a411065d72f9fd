import { afterEach, describe, expect, it } from "vitest";
import { isClowderError } from "../../src/errors.ts";
import { createAnthropicProvider } from "../../src/model/anthropic-provider.ts";
import type { AttemptHooks, AttemptReply } from "../../src/model/provider.ts";
import {
	type FakeAnthropicOptions,
	type FakeAnthropicServer,
	startFakeAnthropicServer,
} from "../../src/testing/fake-anthropic-server.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { FakeReply } from "../../src/testing/fake-reply.ts";
import { blocksOf } from "../../src/testing/messages-request.ts";
import type { Message, Usage } from "../../src/wire/conversation.ts";
import type { ModelRequest } from "../../src/wire/model-call.ts";
import type { AnthropicConfig } from "../../src/wire/model-config.ts";
import { caller, request, user } from "./harness.ts";

const KEY = "sk-ant-api03-THIS-is-a-secret-0123456789";
let server: FakeAnthropicServer;

afterEach(() => server?.close());

async function serve(script: readonly FakeReply[], over: FakeAnthropicOptions = {}) {
	server = await startFakeAnthropicServer({ script, apiKey: KEY, ...over });
	return (config: Partial<AnthropicConfig> = {}) =>
		createAnthropicProvider(
			{ provider: "anthropic", model: "claude-sonnet-5-5", apiKey: KEY, baseUrl: server.url, ...config },
			createFakeClock(0),
		);
}

interface Heard {
	readonly texts: string[];
	readonly usages: Usage[];
	activity: number;
}

function listen(controller = new AbortController()) {
	const heard: Heard = { texts: [], usages: [], activity: 0 };
	const hooks: AttemptHooks = {
		signal: controller.signal,
		onText: (text) => heard.texts.push(text),
		onActivity: () => {
			heard.activity += 1;
		},
		onUsage: (usage) => heard.usages.push(usage),
	};
	return { heard, hooks, controller };
}

async function attempt(reply: FakeReply | readonly FakeReply[], over: Partial<ModelRequest> = {}) {
	const provider = (await serve([reply].flat() as FakeReply[]))();
	const { heard, hooks } = listen();
	return { heard, reply: await provider.attempt(request(over), hooks) };
}

async function failure(reply: FakeReply, over: Partial<ModelRequest> = {}) {
	const provider = (await serve([reply]))();
	return failureOf(provider.attempt(request(over), listen().hooks));
}

async function failureOf(attempted: Promise<AttemptReply>) {
	const thrown = await attempted.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (!isClowderError(thrown)) throw thrown ?? new Error("the attempt succeeded");
	return thrown;
}

describe("createAnthropicProvider", () => {
	describe("replies", () => {
		it("streams text and reports usage", async () => {
			const { heard, reply } = await attempt({
				text: "Hello there",
				deltas: 3,
				usage: { inputTokens: 12, outputTokens: 5, cacheReadTokens: 7, cacheWriteTokens: 9 },
			});
			expect(reply).toEqual({
				content: [{ type: "text", text: "Hello there" }],
				stopReason: "end_turn",
				usage: { inputTokens: 12, outputTokens: 5, cacheReadTokens: 7, cacheWriteTokens: 9 },
				model: "claude-sonnet-5-5",
			});
			expect(heard.texts).toEqual(["Hell", "o th", "ere"]);
			expect(heard.usages.at(-1)).toEqual(reply.usage);
		});

		it("counts pings as activity", async () => {
			const { heard } = await attempt({ text: "Hi" });
			// Headers, message_start, ping, block start, delta, stop, message_delta, message_stop.
			expect(heard.activity).toBe(8);
		});

		it("keeps thinking with its signature, redacted thinking and tool input", async () => {
			const { heard, reply } = await attempt({
				content: [
					{ type: "thinking", thinking: "Let me see.", signature: "sig-1" },
					{ type: "redacted_thinking", data: "opaque" },
					{ type: "text", text: "Reading." },
					{ type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a.ts", deep: { list: [1, "ü"] } } },
				],
			});
			expect(reply.content).toEqual([
				{ type: "thinking", thinking: "Let me see.", signature: "sig-1" },
				{ type: "redacted_thinking", data: "opaque" },
				{ type: "text", text: "Reading." },
				{ type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a.ts", deep: { list: [1, "ü"] } } },
			]);
			expect(reply.stopReason).toBe("tool_use");
			expect(heard.texts).toEqual(["Reading."]);
		});

		it("drops empty text blocks", async () => {
			const { reply } = await attempt({
				content: [
					{ type: "text", text: "  " },
					{ type: "tool_use", id: "t", name: "glob", input: {} },
				],
			});
			expect(reply.content).toEqual([{ type: "tool_use", id: "t", name: "glob", input: {} }]);
		});

		it("marks tool input that is not JSON instead of failing", async () => {
			const { reply } = await attempt({
				content: [{ type: "tool_use", id: "t", name: "bash", input: '{"command": "ls' }],
				stopReason: "max_tokens",
			});
			expect(reply.content).toEqual([
				{ type: "tool_use", id: "t", name: "bash", input: { __invalid_json: '{"command": "ls' } },
			]);
			expect(reply.stopReason).toBe("max_tokens");
		});

		it("passes stop reasons on", async () => {
			const { reply } = await attempt({ text: "No.", stopReason: "refusal" });
			expect(reply.stopReason).toBe("refusal");
		});
	});

	describe("requests", () => {
		const tools = [
			{ name: "glob", description: "d", input_schema: { type: "object" } },
			{ name: "grep", description: "d", input_schema: { type: "object" } },
		];
		const mark = { type: "ephemeral" };

		it("carries the key as the SDK and other servers read it, and no body but ours", async () => {
			await attempt({ text: "ok" });
			const [sent] = server.requests;
			expect(sent?.headers.authorization).toBe("[present]");
			expect(sent?.headers["x-api-key"]).toBe("[present]");
			expect(sent?.path).toBe("/v1/messages");
			expect(sent?.body).toEqual({
				model: "claude-sonnet-5-5",
				max_tokens: 1_000,
				stream: true,
				system: [{ type: "text", text: "You help.", cache_control: mark }],
				messages: [{ role: "user", content: [{ type: "text", text: "Hello", cache_control: mark }] }],
			});
		});

		it("marks the last tool, the system text and the last block, and keeps everything before byte-stable", async () => {
			const provider = (await serve([{ text: "1" }, { text: "2" }]))();
			const history: Message[] = [
				user("Look"),
				{ role: "assistant", content: [{ type: "tool_use", id: "t1", name: "glob", input: { a: 1 } }] },
				{ role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "x" }] },
				{ role: "assistant", content: [{ type: "text", text: "Done" }] },
				user("More"),
			];
			const lines = history.map((message) => JSON.stringify(message));
			const toolsJson = JSON.stringify(tools);
			await provider.attempt(request({ toolsJson, messagesJson: lines.slice(0, 3) }), listen().hooks);
			await provider.attempt(request({ toolsJson, messagesJson: lines }), listen().hooks);

			const [first, second] = server.requests.map(({ bodyText }) => bodyText);
			const shared = `{"model":"claude-sonnet-5-5","max_tokens":1000,"stream":true,"tools":[${JSON.stringify(tools[0])},${JSON.stringify({ ...tools[1], cache_control: mark })}],"system":[{"type":"text","text":"You help.","cache_control":{"type":"ephemeral"}}],"messages":[${lines[0]},${lines[1]},`;
			expect(first?.startsWith(shared)).toBe(true);
			expect(second?.startsWith(`${shared}${lines[2]},${lines[3]},`)).toBe(true);
			expect(server.requests[0]?.body.messages[2]?.content).toEqual([
				{ type: "tool_result", tool_use_id: "t1", content: "x", cache_control: mark },
			]);
		});

		it("keeps the tools of a tool-free call and forbids their use", async () => {
			await attempt({ text: "ok" }, { toolsJson: JSON.stringify(tools), toolFree: true });
			expect(server.requests[0]?.body.tools).toHaveLength(2);
			expect(server.requests[0]?.body.tool_choice).toEqual({ type: "none" });
		});

		it("leaves out tools, tool choice and system where there are none", async () => {
			await attempt({ text: "ok" }, { toolFree: true, system: "" });
			expect(Object.keys(server.requests[0]?.body ?? {})).toEqual(["model", "max_tokens", "stream", "messages"]);
		});

		it("sends a bearer token alone when that is the credential", async () => {
			const provider = (await serve([{ text: "ok" }], { apiKey: "a-token" }))({ apiKey: "", authToken: "a-token" });
			await provider.attempt(request(), listen().hooks);
			expect(server.requests[0]?.headers["x-api-key"]).toBeUndefined();
		});

		it("calls a server that wants no key without looking for one elsewhere", async () => {
			server = await startFakeAnthropicServer({ script: [{ text: "ok" }] });
			const config = { provider: "anthropic", model: "m", baseUrl: server.url } as const;
			const provider = createAnthropicProvider(config, createFakeClock(), { ANTHROPIC_API_KEY: KEY });
			await provider.attempt(request(), listen().hooks);
			expect(server.requests[0]?.headers["x-api-key"]).toBeUndefined();
		});

		it("sends the thinking of a run no more once it was refused", async () => {
			const refused =
				"messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.";
			const thought: Message = {
				role: "assistant",
				content: [
					{ type: "thinking", thinking: "hm", signature: "s" },
					{ type: "text", text: "Yes" },
				],
			};
			const messagesJson = [user("a"), thought, user("b")].map((message) => JSON.stringify(message));
			const provider = (
				await serve([{ error: { status: 400, message: refused } }, { text: "1" }, { text: "2" }, { text: "3" }])
			)();
			await provider.attempt(request({ messagesJson }), listen().hooks);
			await provider.attempt(request({ messagesJson }), listen().hooks);
			await provider.attempt(request({ messagesJson, caller: caller({ runId: "other" }) }), listen().hooks);
			const blocks = server.requests.map(({ body }) =>
				blocksOf(body.messages[1]?.content ?? []).map(({ type }) => type),
			);
			expect(blocks).toEqual([["thinking", "text"], ["text"], ["text"], ["thinking", "text"]]);
		});
	});

	describe("failures", () => {
		it.each([
			[401, "ERR_MODEL_AUTH", /Set ANTHROPIC_API_KEY/],
			[403, "ERR_MODEL_AUTH", /Set ANTHROPIC_API_KEY/],
			[404, "ERR_MODEL_NOT_FOUND", /"claude-sonnet-5-5".*ANTHROPIC_BASE_URL/],
			[400, "ERR_MODEL_BAD_REQUEST", /refused the request/],
			[422, "ERR_MODEL_BAD_REQUEST", /refused the request/],
			[413, "ERR_PROMPT_TOO_LONG", /window of claude-sonnet-5-5/],
			[429, "ERR_MODEL_RATE_LIMITED", /run fewer agents/],
			[529, "ERR_MODEL_OVERLOADED", /fallback model/],
			[500, "ERR_MODEL_SERVER", /failed with status 500/],
			[503, "ERR_MODEL_SERVER", /failed with status 503/],
			[408, "ERR_MODEL_SERVER", /failed with status 408/],
		])("maps status %i to %s, naming host and remedy", async (status, code, text) => {
			const error = await failure({ error: { status } });
			expect(error.code).toBe(code);
			expect(error.message).toMatch(text);
			expect(error.details?.status).toBe(status);
			if (code !== "ERR_PROMPT_TOO_LONG") expect(error.message).toContain(new URL(server.url).host);
		});

		it.each([
			"prompt is too long: 210000 tokens > 200000 maximum",
			"input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000",
		])("recognises a 400 about the window: %s", async (message) => {
			expect((await failure({ error: { status: 400, message } })).code).toBe("ERR_PROMPT_TOO_LONG");
		});

		it.each([
			[{ "retry-after": "5" }, 5_000],
			[{ "retry-after-ms": "1250", "retry-after": "9" }, 1_250],
			[{ "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" }, 30_000],
			[{}, undefined],
		])("reads the delay from %j", async (headers, retryAfterMs) => {
			const error = await failure({ error: { status: 429, headers: headers as Record<string, string> } });
			expect(error.details?.retryAfterMs).toBe(retryAfterMs);
		});

		it("says when trying again is useless", async () => {
			const body = JSON.stringify({
				type: "error",
				error: {
					type: "rate_limit_error",
					message: "Spend limit reached",
					details: { error_code: "enforced_spend_limit_reached" },
				},
			});
			const error = await failure({ error: { status: 429, body } });
			expect(error.code).toBe("ERR_MODEL_RATE_LIMITED");
			expect(error.details?.retryable).toBe(false);
			expect(error.message).toMatch(/Raise the account's limit/);
		});

		it.each([
			["overloaded_error", "ERR_MODEL_OVERLOADED"],
			["rate_limit_error", "ERR_MODEL_RATE_LIMITED"],
			["api_error", "ERR_MODEL_SERVER"],
			["authentication_error", "ERR_MODEL_AUTH"],
			["invalid_request_error", "ERR_MODEL_BAD_REQUEST"],
			["something_new", "ERR_MODEL_SERVER"],
		])("maps an error event %s inside a stream to %s", async (type, code) => {
			const error = await failure({ text: "Hello", errorEvent: { type, message: "no", afterEvents: 4 } });
			expect(error.code).toBe(code);
		});

		it("calls a stream that ends early a server failure", async () => {
			const error = await failure({ text: "Hello", cutAfterEvents: 4 });
			expect(error.code).toBe("ERR_MODEL_SERVER");
			expect(error.message).toMatch(/^The stream from 127\.0\.0\.1:\d+ broke: /);
		});

		it("calls an event that is not JSON a server failure", async () => {
			const error = await failure({ text: "Hello", malformedAfterEvents: 3 });
			expect([error.code, error.message]).toEqual([
				"ERR_MODEL_SERVER",
				expect.stringMatching(/an event that is not JSON/),
			]);
		});

		it("reports what a broken stream has used", async () => {
			const provider = (
				await serve([{ text: "x".repeat(2_000), deltas: 4, fault: "cut", usage: { inputTokens: 50 } }])
			)();
			const { heard, hooks } = listen();
			await failureOf(provider.attempt(request(), hooks));
			expect(heard.usages.at(-1)).toEqual({
				inputTokens: 50,
				outputTokens: 500,
				cacheReadTokens: 0,
				cacheWriteTokens: 0,
			});
		});

		it("calls a server that hangs up, or is not there, unreachable", async () => {
			expect((await failure({ hangUp: true })).code).toBe("ERR_MODEL_UNREACHABLE");
			await server.close();
			const gone = createAnthropicProvider(
				{ provider: "anthropic", model: "m", apiKey: KEY, baseUrl: server.url },
				createFakeClock(),
			);
			const error = await failureOf(gone.attempt(request(), listen().hooks));
			expect(error.code).toBe("ERR_MODEL_UNREACHABLE");
			expect(error.message).toMatch(/cannot be reached: ECONNREFUSED.*ANTHROPIC_BASE_URL/);
		});

		it("names the address when something else answers there", async () => {
			const error = await failure({ error: { status: 200, headers: { "content-type": "text/html" }, body: "<html>" } });
			expect(error.code).toBe("ERR_MODEL_BAD_REQUEST");
			expect(error.message).toMatch(/text\/html instead of an event stream.*ANTHROPIC_BASE_URL/);
		});

		it("does not follow a redirect with the key", async () => {
			const error = await failure({ error: { status: 308, headers: { location: "http://127.0.0.1:9/" } } });
			expect(error.message).toMatch(/redirect \(308\)/);
			expect(server.requests).toHaveLength(1);
		});

		it("ends with ERR_ABORTED when cancelled before or during the stream", async () => {
			const provider = (await serve([{ text: "Hello", stallAfterEvents: 5 }]))();
			const { heard, hooks, controller } = listen();
			const attempted = failureOf(provider.attempt(request(), hooks));
			await expect.poll(() => heard.texts, { interval: 5, timeout: 8_000 }).toEqual(["Hello"]);
			controller.abort();
			expect((await attempted).code).toBe("ERR_ABORTED");

			const cancelled = listen();
			cancelled.controller.abort();
			expect((await failureOf(provider.attempt(request(), cancelled.hooks))).code).toBe("ERR_ABORTED");
		});

		it("refuses a wrong key and an unknown model as the server does", async () => {
			const build = await serve([], { models: ["claude-opus-5-5"] });
			const wrongKey = build({ apiKey: "sk-ant-wrong-key-000000" });
			expect((await failureOf(wrongKey.attempt(request(), listen().hooks))).code).toBe("ERR_MODEL_AUTH");
			expect((await failureOf(build().attempt(request(), listen().hooks))).code).toBe("ERR_MODEL_NOT_FOUND");
		});

		it("refuses to be built without a key for Anthropic's own server", () => {
			const config = { provider: "anthropic", model: "m" } as const;
			expect(() => createAnthropicProvider(config, createFakeClock())).toThrow(
				"There is no API key for api.anthropic.com. Set ANTHROPIC_API_KEY, or take the model that needs none (--model offline): fixed rules that can survey a folder",
			);
			expect(() => createAnthropicProvider({ ...config, baseUrl: "ftp://x" }, createFakeClock())).toThrow(
				/ANTHROPIC_BASE_URL/,
			);
		});
	});

	it("names the gate by host and model, without any part of the key", async () => {
		const provider = (await serve([]))();
		expect(provider.gateKey(request())).toBe(`anthropic ${new URL(server.url).host} claude-sonnet-5-5`);
	});
});
