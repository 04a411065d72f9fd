// The gateway with the real client over real HTTP; only time is not real.

import { afterEach, describe, expect, it } from "vitest";
// Loaded here, so that no call has to wait for the SDK.
import "../../src/model/anthropic-provider.ts";
import { createGateway } from "../../src/model/gateway.ts";
import { type FakeAnthropicServer, startFakeAnthropicServer } from "../../src/testing/fake-anthropic-server.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { FakeScript } from "../../src/testing/fake-reply.ts";
import type { AnthropicConfig } from "../../src/wire/model-config.ts";
import { type AgentSide, createAgentSide } from "./harness.ts";

const KEY = "sk-ant-api03-THIS-is-a-secret-0123456789";
const POLL = { interval: 5, timeout: 8_000 };
let server: FakeAnthropicServer;

afterEach(() => server?.close());

async function setUp(script: FakeScript, over: Partial<AnthropicConfig> = {}) {
	const clock = createFakeClock(0);
	server = await startFakeAnthropicServer({ script, apiKey: KEY, clock });
	const config: AnthropicConfig = { provider: "anthropic", model: "m", apiKey: KEY, baseUrl: server.url, ...over };
	const gateway = createGateway({ config, clock, random: () => 0.5 });
	const connect = () => {
		const side = createAgentSide();
		gateway.connect(side.port);
		return side;
	};
	return { clock, gateway, connect };
}

const seen = (side: AgentSide, type: string) =>
	expect.poll(() => side.of(1).map((event) => event.type), POLL).toContain(type);
const ended = (side: AgentSide) => seen(side, "call-finished");

describe("createGateway over HTTP", () => {
	it("makes a whole call, and prices it", async () => {
		const usage = { inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 10_000, cacheWriteTokens: 0 };
		const { connect } = await setUp([{ text: "Hello", deltas: 2, usage }]);
		const side = connect();
		side.start(1, { deltas: true });
		await ended(side);
		expect(side.textOf(1)).toBe("Hello");
		expect(side.of(1)).toMatchObject([
			{ type: "call-finished", reply: { content: [{ type: "text", text: "Hello" }], usage, costUsd: 0.004 } },
		]);
	});

	it("holds 8 agents back after a 429 until its Retry-After is over, then completes them all", async () => {
		const limited = { error: { status: 429, retryAfterMs: 5_000 } };
		const { clock, gateway, connect } = await setUp([...Array(4).fill(limited), ...Array(8).fill({ text: "ok" })]);
		const sides = Array.from({ length: 8 }, connect);
		for (const side of sides.slice(0, 4)) side.start(1);
		for (const side of sides.slice(0, 4)) await seen(side, "call-retrying");
		for (const side of sides.slice(4)) side.start(1);
		await expect.poll(() => gateway.stats().gates[0]?.waiting, POLL).toBe(8);
		await clock.advance(4_999);
		expect(server.requests).toHaveLength(4);
		await clock.advance(3_000);
		for (const side of sides) await ended(side);
		expect(server.requests).toHaveLength(12);
		expect(Math.min(...server.requests.slice(4).map(({ arrivedAtMs }) => arrivedAtMs))).toBeGreaterThanOrEqual(5_000);
	});

	it("ends a stalled stream by the watchdog and gets the reply from the next", async () => {
		const { clock, connect } = await setUp([{ text: "half", stallAfterEvents: 5 }, { text: "whole" }]);
		const side = connect();
		side.start(1, { deltas: true });
		// The watchdog counts from the last event: all of them must have arrived before time moves.
		await expect.poll(() => side.events.length + clock.pending(), POLL).toBe(2);
		await clock.advance(30);
		expect(side.textOf(1)).toBe("half");
		await clock.advance(90_000);
		await clock.advance(500);
		await ended(side);
		expect(side.of(1)).toMatchObject([
			{ type: "call-retrying", error: { code: "ERR_MODEL_STALLED" } },
			{ type: "call-finished", reply: { content: [{ type: "text", text: "whole" }] } },
		]);
	});

	it.each([
		[
			"an error event inside the stream",
			{ text: "x", errorEvent: { type: "overloaded_error", afterEvents: 4 } },
			"ERR_MODEL_OVERLOADED",
		],
		["a cut stream", { text: "x", cutAfterEvents: 4 }, "ERR_MODEL_SERVER"],
		["a status 529", { error: { status: 529 } }, "ERR_MODEL_OVERLOADED"],
		["a connection that ends without an answer", { hangUp: true }, "ERR_MODEL_UNREACHABLE"],
		["events that are not JSON", { text: "x", malformedAfterEvents: 3 }, "ERR_MODEL_SERVER"],
	])("recovers from %s", async (_, broken, code) => {
		const { clock, connect } = await setUp([broken, { text: "whole" }]);
		const side = connect();
		side.start(1);
		await seen(side, "call-retrying");
		await clock.advance(1_000);
		await ended(side);
		expect(side.of(1)).toMatchObject([{ error: { code } }, { reply: { content: [{ type: "text", text: "whole" }] } }]);
	});

	it("never lets the key out, not even when the server echoes it", async () => {
		const message = `invalid x-api-key: ${KEY}, that is ${KEY.slice(0, 16)}…`;
		const { connect } = await setUp([{ error: { status: 401, message } }]);
		const side = connect();
		side.start(1);
		await seen(side, "call-failed");
		expect(side.of(1)).toMatchObject([
			{
				error: {
					code: "ERR_MODEL_AUTH",
					message: expect.stringMatching(
						/^127\.0\.0\.1:\d+ refused the credentials: invalid x-api-key: \[redacted\].*Set ANTHROPIC_API_KEY/,
					),
				},
			},
		]);
		expect(JSON.stringify([side.events, server.requests])).not.toContain(KEY.slice(0, 8));
		expect(JSON.stringify([side.events, server.requests])).not.toContain(KEY.slice(-8));
	});

	it("frees the connection of a call that is cancelled", async () => {
		const { gateway, connect } = await setUp([{ text: "x", stallAfterEvents: 1 }, { text: "next" }], {
			maxConnections: 1,
		});
		const [first, second] = [connect(), connect()];
		first.start(1);
		await expect.poll(() => server.requests.length, POLL).toBe(1);
		second.start(1);
		first.send({ type: "cancel-call", callId: 1 });
		await ended(second);
		expect(first.of(1)).toMatchObject([{ type: "call-failed", error: { code: "ERR_ABORTED" } }]);
		expect(gateway.stats().connectionsUsed).toBe(0);
	});
});
