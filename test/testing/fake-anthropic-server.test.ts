import { afterEach, describe, expect, it } from "vitest";
import {
	type FakeAnthropicOptions,
	type FakeAnthropicServer,
	startFakeAnthropicServer,
} from "../../src/testing/fake-anthropic-server.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

let server: FakeAnthropicServer;

afterEach(() => server?.close());

async function start(options: FakeAnthropicOptions) {
	server = await startFakeAnthropicServer(options);
}

const ask = (over: object = {}, headers: Record<string, string> = {}, path = "/v1/messages") =>
	fetch(`${server.url}${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify({ model: "m", max_tokens: 10, messages: [{ role: "user", content: "hi" }], ...over }),
	});

describe("startFakeAnthropicServer", () => {
	it("answers without a stream when none is asked for", async () => {
		await start({
			script: [{ text: "Hello", toolUses: [{ name: "glob", input: { a: 1 } }], usage: { outputTokens: 3 } }],
		});
		expect(await (await ask()).json()).toMatchObject({
			type: "message",
			role: "assistant",
			model: "m",
			content: [
				{ type: "text", text: "Hello" },
				{ type: "tool_use", id: "toolu_fake_1_1", name: "glob", input: { a: 1 } },
			],
			stop_reason: "tool_use",
			usage: { output_tokens: 3 },
		});
	});

	it("streams the events of the API in their order", async () => {
		await start({ script: [{ text: "abcd", deltas: 2 }] });
		const response = await ask({ stream: true });
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		const names = [...(await response.text()).matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
		expect(names).toEqual([
			"message_start",
			"ping",
			"content_block_start",
			"content_block_delta",
			"content_block_delta",
			"content_block_stop",
			"message_delta",
			"message_stop",
		]);
	});

	it.each([
		[{ apiKey: "k" }, {}, { "x-api-key": "wrong" }, 401, "authentication_error", "invalid x-api-key"],
		[{ apiKey: "k" }, {}, {}, 401, "authentication_error", "invalid x-api-key"],
		[{ models: ["other"] }, {}, {}, 404, "not_found_error", "model: m"],
		[{}, { max_tokens: undefined }, {}, 400, "invalid_request_error", "max_tokens: Field required"],
	])("refuses as the API does: %j %j", async (options, body, headers, status, type, message) => {
		await start({ ...options, script: [{ text: "no" }] });
		const response = await ask(body, headers as Record<string, string>);
		expect([response.status, await response.json()]).toEqual([
			status,
			{ type: "error", error: { type, message }, request_id: "req_fake" },
		]);
	});

	it.each([{ "x-api-key": "k" }, { authorization: "Bearer k" }])(
		"accepts %j and keeps it out of the record",
		async (headers) => {
			await start({ apiKey: "k", script: [{ text: "yes" }] });
			expect((await ask({}, headers as Record<string, string>)).status).toBe(200);
			const [name] = Object.keys(headers);
			expect(server.requests[0]?.headers[name ?? ""]).toBe("[present]");
		},
	);

	it("counts tokens", async () => {
		await start({});
		const counted = await (await ask({ max_tokens: undefined }, {}, "/v1/messages/count_tokens")).json();
		expect(counted).toEqual({ input_tokens: 15 });
	});

	it("answers an unknown path with 404", async () => {
		await start({});
		expect((await ask({}, {}, "/v1/completions")).status).toBe(404);
	});

	it("plays one list per conversation, found by a key in its system text or first message", async () => {
		await start({
			script: {
				agents: { lead: [{ text: "L1" }, { text: "L2" }], "find auth": [{ text: "F1" }], "*": [{ text: "any" }] },
			},
		});
		const say = async (system: string, content: string) => {
			const { content: blocks } = (await (await ask({ system, messages: [{ role: "user", content }] })).json()) as {
				content: { text: string }[];
			};
			return blocks[0]?.text;
		};
		expect(await say("You are the lead", "go")).toBe("L1");
		expect(await say("You explore", "find auth files")).toBe("F1");
		expect(await say("You are the lead", "go")).toBe("L2");
		expect(await say("You are the lead", "other task")).toBe("L1");
		expect(await say("You", "x")).toBe("any");
	});

	it("says when the script is at its end", async () => {
		await start({ script: [] });
		const response = await ask();
		expect([response.status, await response.text()]).toEqual([500, expect.stringMatching(/script has no reply left/)]);
	});

	it("lets a handler decide, and turns what it throws into a status 500", async () => {
		await start({
			handler: ({ body }, serial) => {
				if (serial === 2) throw new Error("oops");
				return { text: `${body.model} ${serial}` };
			},
		});
		expect(await (await ask()).json()).toMatchObject({ content: [{ text: "m 1" }] });
		expect(await (await ask()).text()).toMatch(/The fake server failed: oops/);
	});

	it("answers with the status, headers and body it is told to", async () => {
		await start({
			script: [
				{ error: { status: 429, retryAfterMs: 2_500, headers: { "x-should-retry": "true" } } },
				{ error: { status: 502, body: "<html>bad gateway</html>" } },
			],
		});
		const limited = await ask();
		expect([limited.status, limited.headers.get("retry-after"), limited.headers.get("x-should-retry")]).toEqual([
			429,
			"2.5",
			"true",
		]);
		expect(await (await ask()).text()).toBe("<html>bad gateway</html>");
	});

	it("waits on its clock before and between events, and stamps requests with it", async () => {
		const clock = createFakeClock(1_000);
		await start({ clock, script: [{ text: "x", delayMs: 500, eventDelayMs: 100 }] });
		const answer = ask({ stream: true });
		await expect.poll(() => clock.pending(), { interval: 5 }).toBe(1);
		await clock.advance(500);
		const reader = (await answer).body?.getReader();
		await clock.advance(100);
		expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^event: message_start/);
		await clock.advance(100);
		expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^event: ping/);
		await reader?.cancel();
		expect(server.requests[0]?.arrivedAtMs).toBe(1_000);
	});

	it("drops what is open when it closes", async () => {
		await start({ script: [{ text: "x", stallAfterEvents: 1 }] });
		const response = await ask({ stream: true });
		await server.close();
		await expect(response.text()).rejects.toThrow();
	});
});
