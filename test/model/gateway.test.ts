import { describe, expect, it } from "vitest";
import { ClowderError } from "../../src/errors.ts";
import type { BudgetLedger } from "../../src/model/budget.ts";
import { createGateway, type GatewayOptions } from "../../src/model/gateway.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { ModelReply } from "../../src/wire/model-call.ts";
import { createHeldProvider } from "./fake-provider.ts";
import { type AgentSide, caller, createAgentSide } from "./harness.ts";

const CONFIG = { provider: "anthropic", model: "claude-sonnet-5-5", apiKey: "sk-ant-api03-secret-secret" } as const;

function setUp(over: Partial<GatewayOptions> = {}) {
	const clock = createFakeClock(0);
	const held = createHeldProvider();
	const gateway = createGateway({ config: CONFIG, clock, random: () => 0.5, provider: held.provider, ...over });
	const connect = () => {
		const side = createAgentSide();
		gateway.connect(side.port);
		return side;
	};
	return { clock, gateway, connect, attempts: held.attempts };
}

const typesOf = (side: AgentSide, callId: number) => side.of(callId).map(({ type }) => type);

const rateLimited = (retryAfterMs?: number) =>
	new ClowderError("ERR_MODEL_RATE_LIMITED", "slow down", { details: { status: 429, retryAfterMs } });

const failed = (code: "ERR_MODEL_SERVER" | "ERR_MODEL_OVERLOADED" | "ERR_MODEL_AUTH") => new ClowderError(code, "no");

function replyOf(side: AgentSide, callId: number): ModelReply {
	const end = side.of(callId).at(-1);
	if (end?.type !== "call-finished") throw new Error(`call ${callId} ended with ${JSON.stringify(end)}`);
	return end.reply;
}

function errorOf(side: AgentSide, callId: number) {
	const end = side.of(callId).at(-1);
	if (end?.type !== "call-failed") throw new Error(`call ${callId} ended with ${JSON.stringify(end)}`);
	return end.error;
}

describe("createGateway", () => {
	it("answers a call with its reply, price and duration", async () => {
		const { clock, gateway, connect, attempts } = setUp();
		const side = connect();
		side.start(7);
		await clock.advance(1_500);
		const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 0, cacheWriteTokens: 0 };
		attempts[0]?.answer("hi", { usage });
		await clock.advance(0);
		expect(replyOf(side, 7)).toEqual({
			content: [{ type: "text", text: "hi" }],
			stopReason: "end_turn",
			usage,
			model: "claude-sonnet-5-5",
			costUsd: 3,
			durationMs: 1_500,
		});
		expect(gateway.stats()).toMatchObject({
			ports: 1,
			callsInFlight: 0,
			connectionsUsed: 0,
			finished: 1,
			costUsd: 3,
			usage,
		});
		expect(clock.pending()).toBe(0);
	});

	it("keeps calls of several ports and of one port apart", async () => {
		const { clock, connect, attempts } = setUp();
		const [a, b] = [connect(), connect()];
		a.start(1, { system: "a1" });
		a.start(2, { system: "a2" });
		b.start(1, { system: "b1" });
		await clock.advance(0);
		for (const attempt of [...attempts].reverse()) attempt.answer(attempt.request.system);
		await clock.advance(0);
		const texts = [replyOf(a, 1), replyOf(a, 2), replyOf(b, 1)].map(({ content }) => content[0]);
		expect(texts).toEqual(["a1", "a2", "b1"].map((text) => ({ type: "text", text })));
	});

	describe("deltas", () => {
		it("sends none unless asked", async () => {
			const { clock, connect, attempts } = setUp();
			const side = connect();
			side.start(1);
			await clock.advance(0);
			attempts[0]?.hooks.onText("hello");
			await clock.advance(100);
			expect(side.events).toEqual([]);
		});

		it("turns 100,000 deltas into few messages that hold the whole text", async () => {
			const { clock, connect, attempts } = setUp();
			const side = connect();
			side.onEvent = ({ type, callId }) =>
				type === "call-delta" && side.send({ type: "grant-credit", callId, credit: 1 });
			side.start(1, { deltas: true });
			await clock.advance(0);
			let text = "";
			for (let n = 0; n < 100_000; n++) {
				text += n % 10;
				attempts[0]?.hooks.onText(String(n % 10));
			}
			attempts[0]?.answer(text);
			await clock.advance(0);
			expect(side.textOf(1)).toBe(text);
			expect(side.events.length).toBe(26);
		});

		it("flushes slow text every 30 ms", async () => {
			const { clock, connect, attempts } = setUp();
			const side = connect();
			side.start(1, { deltas: true });
			await clock.advance(0);
			for (let n = 0; n < 6; n++) {
				attempts[0]?.hooks.onText(String(n));
				await clock.advance(10);
			}
			expect(side.events.map((event) => event.type === "call-delta" && event.text)).toEqual(["012", "345"]);
		});

		it("stops at the credit, merges what waits, and goes on when more is granted", async () => {
			const { clock, connect, attempts } = setUp();
			const side = connect();
			side.start(1, { deltas: true });
			await clock.advance(0);
			for (let n = 0; n < 20; n++) {
				attempts[0]?.hooks.onText(`${n} `);
				await clock.advance(30);
			}
			expect(side.events).toHaveLength(8);
			side.send({ type: "grant-credit", callId: 1, credit: 1 });
			await clock.advance(30);
			expect(side.events.at(-1)).toEqual({
				type: "call-delta",
				callId: 1,
				text: "8 9 10 11 12 13 14 15 16 17 18 19 ",
			});
		});

		it("delivers the rest before the end, and nothing of a broken stream after its retry", async () => {
			const { clock, connect, attempts } = setUp();
			const side = connect();
			side.start(1, { deltas: true });
			await clock.advance(0);
			attempts[0]?.hooks.onText("void");
			attempts[0]?.fail(failed("ERR_MODEL_SERVER"));
			await clock.advance(500);
			attempts[0]?.hooks.onText("late");
			attempts[1]?.hooks.onText("good");
			attempts[1]?.answer("good");
			await clock.advance(0);
			expect(side.events.map(({ type }) => type)).toEqual(["call-retrying", "call-delta", "call-finished"]);
			expect(side.textOf(1)).toBe("good");
		});
	});

	describe("retry", () => {
		it("backs off with full jitter and tells the agent before each retry", async () => {
			const { clock, gateway, connect, attempts } = setUp();
			const side = connect();
			side.start(1);
			for (let n = 0; n < 5; n++) {
				await clock.advance(0);
				attempts[n]?.fail(failed("ERR_MODEL_SERVER"));
				await clock.advance(8_000);
			}
			const retries = side
				.of(1)
				.flatMap((event) => (event.type === "call-retrying" ? [[event.attempt, event.delayMs]] : []));
			expect(retries).toEqual([
				[2, 500],
				[3, 1_000],
				[4, 2_000],
				[5, 4_000],
			]);
			expect(errorOf(side, 1).code).toBe("ERR_MODEL_SERVER");
			expect(attempts).toHaveLength(5);
			expect(gateway.stats()).toMatchObject({ failed: 1, retries: 4 });
		});

		it.each([
			"ERR_MODEL_AUTH",
			"ERR_MODEL_NOT_FOUND",
			"ERR_MODEL_BAD_REQUEST",
			"ERR_PROMPT_TOO_LONG",
			"ERR_SCRIPT",
		] as const)("does not retry %s", async (code) => {
			const { clock, connect, attempts } = setUp();
			const side = connect();
			side.start(1);
			await clock.advance(0);
			attempts[0]?.fail(new ClowderError(code, "no"));
			await clock.advance(60_000);
			expect([attempts.length, errorOf(side, 1).code]).toEqual([1, code]);
		});

		it("does not retry what the provider calls final, nor a fault of the provider itself", async () => {
			const { clock, connect, attempts } = setUp();
			const side = connect();
			side.start(1);
			side.start(2);
			await clock.advance(0);
			attempts[0]?.fail(new ClowderError("ERR_MODEL_RATE_LIMITED", "spent", { details: { retryable: false } }));
			attempts[1]?.fail(new TypeError("x is undefined"));
			await clock.advance(60_000);
			expect(attempts).toHaveLength(2);
			expect(errorOf(side, 2).message).toBe("The model provider failed unexpectedly: x is undefined");
		});

		it("ends a silent stream after the idle time and tries it again", async () => {
			const { clock, connect, attempts } = setUp({ config: { ...CONFIG, idleTimeoutMs: 10_000 } });
			const side = connect();
			side.start(1);
			await clock.advance(9_000);
			attempts[0]?.hooks.onActivity();
			await clock.advance(9_999);
			expect(side.events).toEqual([]);
			await clock.advance(1);
			expect(side.events).toMatchObject([
				{ type: "call-retrying", error: { code: "ERR_MODEL_STALLED", message: expect.stringMatching(/for 10 s/) } },
			]);
			expect(attempts[0]?.hooks.signal.aborted).toBe(true);
			await clock.advance(500);
			attempts[1]?.answer();
			await clock.advance(0);
			expect(typesOf(side, 1)).toEqual(["call-retrying", "call-finished"]);
			expect(clock.pending()).toBe(0);
		});

		it("goes to the fallback model once overload has used up its attempts", async () => {
			const config = { ...CONFIG, fallbackModel: "claude-haiku-4-5", maxAttempts: 2 };
			const { clock, connect, attempts } = setUp({ config });
			const side = connect();
			side.start(1);
			for (let n = 0; n < 2; n++) {
				await clock.advance(0);
				attempts[n]?.fail(failed("ERR_MODEL_OVERLOADED"));
				await clock.advance(2_000);
			}
			expect(attempts.map(({ request }) => request.model)).toEqual([
				"claude-sonnet-5-5",
				"claude-sonnet-5-5",
				"claude-haiku-4-5",
			]);
			attempts[2]?.answer();
			await clock.advance(0);
			expect(replyOf(side, 1).model).toBe("claude-haiku-4-5");
		});

		it("does not fall back for a server failure", async () => {
			const { clock, connect, attempts } = setUp({ config: { ...CONFIG, fallbackModel: "other", maxAttempts: 1 } });
			const side = connect();
			side.start(1);
			await clock.advance(0);
			attempts[0]?.fail(failed("ERR_MODEL_SERVER"));
			await clock.advance(60_000);
			expect([attempts.length, errorOf(side, 1).code]).toEqual([1, "ERR_MODEL_SERVER"]);
		});
	});

	describe("rate gate", () => {
		it("starts no call of 8 agents before the Retry-After of the first four is over, and completes them all", async () => {
			const { clock, gateway, connect, attempts } = setUp();
			const starts: number[] = [];
			const sides = Array.from({ length: 8 }, connect);
			for (const side of sides.slice(0, 4)) side.start(1);
			await clock.advance(0);
			for (const attempt of attempts.slice(0, 4)) attempt.fail(rateLimited(5_000));
			await clock.advance(1);
			for (const side of sides.slice(4)) side.start(1);
			await clock.advance(4_998);
			expect(attempts).toHaveLength(4);
			expect(gateway.stats().gates).toEqual([{ key: "held claude-sonnet-5-5", opensInMs: 1, waiting: 8 }]);

			for (let step = 0; step < 200 && starts.length < 8; step++) {
				await clock.advance(10);
				for (const attempt of attempts.slice(4 + starts.length)) {
					starts.push(clock.monotonicMs());
					attempt.answer();
				}
			}
			await clock.advance(0);
			expect(Math.min(...starts)).toBeGreaterThanOrEqual(5_000);
			expect(new Set(starts).size).toBe(8);
			expect(sides.map((side) => side.of(1).at(-1)?.type)).toEqual(Array(8).fill("call-finished"));
			expect(gateway.stats().gates).toEqual([]);
		});

		it("tells a call that waits from the start why it waits", async () => {
			const { clock, connect, attempts } = setUp();
			const [first, second] = [connect(), connect()];
			first.start(1);
			await clock.advance(0);
			attempts[0]?.fail(rateLimited(5_000));
			await clock.advance(1_000);
			second.start(1);
			await clock.advance(0);
			expect(second.events).toMatchObject([
				{ type: "call-retrying", attempt: 1, delayMs: 4_000, error: { code: "ERR_MODEL_RATE_LIMITED" } },
			]);
		});

		it("leaves other models alone", async () => {
			const { clock, connect, attempts } = setUp();
			const side = connect();
			side.start(1);
			await clock.advance(0);
			attempts[0]?.fail(rateLimited(60_000));
			await clock.advance(0);
			side.start(2, { model: "claude-haiku-4-5" });
			await clock.advance(0);
			expect(attempts.at(-1)?.request.model).toBe("claude-haiku-4-5");
		});

		it("closes anew when a call that was let through is limited again", async () => {
			const { clock, connect, attempts } = setUp();
			const sides = Array.from({ length: 3 }, connect);
			for (const side of sides) side.start(1);
			await clock.advance(0);
			for (const attempt of attempts.slice()) attempt.fail(rateLimited(1_000));
			await clock.advance(1_050);
			expect(attempts).toHaveLength(4);
			attempts[3]?.fail(rateLimited(10_000));
			await clock.advance(9_900);
			expect(attempts).toHaveLength(4);
			await clock.advance(1_000);
			expect(attempts).toHaveLength(7);
		});

		it("does not wait for a server that asks for more than ten minutes", async () => {
			const { clock, connect, attempts } = setUp();
			const [first, waiting, late] = [connect(), connect(), connect()];
			for (const side of [first, waiting]) side.start(1);
			await clock.advance(0);
			attempts[0]?.fail(rateLimited(1_000));
			await clock.advance(0);
			attempts[1]?.fail(rateLimited(3_600_000));
			await clock.advance(1_200);
			late.start(1);
			await clock.advance(0);
			expect([first, waiting, late].map((side) => errorOf(side, 1).code)).toEqual(
				Array(3).fill("ERR_MODEL_RATE_LIMITED"),
			);
			expect([attempts.length, clock.pending()]).toEqual([2, 0]);
		});
	});

	describe("connections", () => {
		it("lets no more calls on the wire than allowed, first come first served", async () => {
			const { clock, gateway, connect, attempts } = setUp({ config: { ...CONFIG, maxConnections: 2 } });
			const side = connect();
			for (const callId of [1, 2, 3, 4]) side.start(callId, { system: String(callId) });
			await clock.advance(0);
			expect(gateway.stats()).toMatchObject({ connectionsUsed: 2, waitingForConnection: 2 });
			side.send({ type: "cancel-call", callId: 3 });
			attempts[0]?.answer();
			await clock.advance(0);
			expect(attempts.map(({ request }) => request.system)).toEqual(["1", "2", "4"]);
			attempts[1]?.answer();
			attempts[2]?.answer();
			await clock.advance(0);
			expect(gateway.stats()).toMatchObject({ connectionsUsed: 0, waitingForConnection: 0, callsInFlight: 0 });
		});
	});

	describe("cancel", () => {
		it("ends the call at once, also when the provider does not react", async () => {
			const { clock, gateway, connect, attempts } = setUp();
			const side = connect();
			side.start(1);
			await clock.advance(0);
			side.send({ type: "cancel-call", callId: 1 });
			await clock.advance(0);
			expect(errorOf(side, 1).code).toBe("ERR_ABORTED");
			expect(attempts[0]?.hooks.signal.aborted).toBe(true);
			attempts[0]?.answer("too late");
			await clock.advance(0);
			expect(side.events).toHaveLength(1);
			expect(gateway.stats()).toMatchObject({ cancelled: 1, connectionsUsed: 0 });
		});

		it("ends a call that waits for its retry or for the gate", async () => {
			const { clock, connect, attempts } = setUp();
			const side = connect();
			side.start(1);
			side.start(2, { model: "other" });
			await clock.advance(0);
			attempts[0]?.fail(failed("ERR_MODEL_SERVER"));
			attempts[1]?.fail(rateLimited(60_000));
			await clock.advance(1);
			for (const callId of [1, 2]) side.send({ type: "cancel-call", callId });
			await clock.advance(0);
			expect([errorOf(side, 1).code, errorOf(side, 2).code]).toEqual(["ERR_ABORTED", "ERR_ABORTED"]);
			await clock.advance(120_000);
			expect([attempts.length, clock.pending()]).toEqual([2, 0]);
		});

		it("ignores commands for calls that are over", async () => {
			const { clock, connect } = setUp();
			const side = connect();
			side.send({ type: "cancel-call", callId: 99 });
			side.send({ type: "grant-credit", callId: 99, credit: 1 });
			await clock.advance(0);
			expect([side.events, side.isClosed]).toEqual([[], false]);
		});
	});

	describe("ports", () => {
		it("cancels the calls of a port that closes and releases all they held", async () => {
			const { clock, gateway, connect, attempts } = setUp({ config: { ...CONFIG, maxConnections: 1 } });
			const [gone, other] = [connect(), connect()];
			gone.start(1, { deltas: true });
			gone.start(2);
			await clock.advance(0);
			attempts[0]?.hooks.onText("half");
			other.start(1);
			gone.vanish();
			await clock.advance(50);
			expect(attempts[0]?.hooks.signal.aborted).toBe(true);
			expect(gone.events).toEqual([]);
			expect(gateway.stats()).toMatchObject({
				ports: 1,
				callsInFlight: 1,
				connectionsUsed: 1,
				waitingForConnection: 0,
			});
			attempts[1]?.answer();
			await clock.advance(0);
			expect(typesOf(other, 1)).toEqual(["call-finished"]);
			expect(clock.pending()).toBe(0);
		});

		it.each([
			["no object", 42],
			["an unknown type", { type: "read-key" }],
			["a request without messages", { type: "start-call", callId: 1, request: {} }],
			["a credit that is no number", { type: "grant-credit", callId: 1, credit: "many" }],
		])("closes a port that sends %s, and only that one", async (_, message) => {
			const faults: string[] = [];
			const { clock, gateway, connect, attempts } = setUp({ onMalformed: (detail) => faults.push(detail) });
			const [bad, good] = [connect(), connect()];
			bad.start(1);
			good.start(1);
			await clock.advance(0);
			bad.send(message);
			await clock.advance(0);
			expect([bad.isClosed, good.isClosed, faults.length]).toEqual([true, false, 1]);
			expect(attempts.map(({ hooks }) => hooks.signal.aborted)).toEqual([true, false]);
			expect(gateway.stats()).toMatchObject({ ports: 1, malformed: 1 });
		});

		it("closes a port that starts one call twice", async () => {
			const { clock, connect } = setUp();
			const side = connect();
			side.start(1);
			side.start(1);
			await clock.advance(0);
			expect(side.isClosed).toBe(true);
		});

		it("treats a port that cannot be posted to as closed", async () => {
			const { clock, gateway, connect, attempts } = setUp();
			const side = connect();
			side.port.post = () => {
				throw new Error("gone");
			};
			side.start(1);
			await clock.advance(0);
			attempts[0]?.answer();
			await clock.advance(0);
			expect([side.isClosed, gateway.stats().ports]).toEqual([true, 0]);
		});

		it("closes everything with the gateway and takes no more ports", async () => {
			const { clock, gateway, connect, attempts } = setUp();
			const side = connect();
			side.start(1);
			await clock.advance(0);
			gateway.close();
			expect(connect().isClosed).toBe(true);
			await clock.advance(0);
			expect([side.isClosed, attempts[0]?.hooks.signal.aborted, gateway.stats().ports]).toEqual([true, true, 0]);
			expect(clock.pending()).toBe(0);
		});
	});

	describe("budget", () => {
		function createLedger(limit: number) {
			const settled: number[] = [];
			let reserved = 0;
			const ledger: BudgetLedger = {
				reserve(_caller, tokens) {
					if (reserved + settled.reduce((sum, n) => sum + n, 0) + tokens > limit) return "refused";
					reserved += tokens;
					return {
						settle(used) {
							reserved -= tokens;
							settled.push(used);
						},
					};
				},
			};
			return { ledger, settled, reserved: () => reserved };
		}

		it("settles every attempt with what it used, also failed and cancelled ones", async () => {
			const { ledger, settled, reserved } = createLedger(1_000_000);
			const { clock, connect, attempts } = setUp({ ledger });
			const side = connect();
			const used = (inputTokens: number) => ({ inputTokens, outputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3 });
			side.start(1);
			side.start(2);
			await clock.advance(0);
			attempts[0]?.hooks.onUsage?.(used(10));
			attempts[0]?.fail(failed("ERR_MODEL_SERVER"));
			attempts[1]?.hooks.onUsage?.(used(20));
			side.send({ type: "cancel-call", callId: 2 });
			await clock.advance(500);
			attempts[2]?.answer("ok", { usage: used(30) });
			await clock.advance(0);
			expect(settled.sort((a, b) => a - b)).toEqual([16, 26, 36]);
			expect(reserved()).toBe(0);
		});

		it("fails a call that the ledger refuses, without an attempt", async () => {
			const { clock, gateway, connect, attempts } = setUp({ ledger: createLedger(100).ledger });
			const side = connect();
			side.start(1);
			await clock.advance(0);
			expect(errorOf(side, 1)).toMatchObject({
				code: "ERR_BUDGET",
				message: expect.stringMatching(
					/^The budget does not cover the next call \(about 10\d\d tokens and about \$0\.01\d\d\)\. Raise/,
				),
			});
			expect([attempts.length, gateway.stats().connectionsUsed]).toEqual([0, 0]);
		});

		it("never settles more than was reserved by 16 agents that race for one budget", async () => {
			const { ledger, settled } = createLedger(16_000);
			const { clock, connect, attempts } = setUp({ ledger });
			const sides = Array.from({ length: 16 }, connect);
			for (const [n, side] of sides.entries())
				side.start(1, { caller: caller({ runId: `task_${n}` }), maxTokens: 2_000 });
			await clock.advance(0);
			for (const attempt of attempts) {
				attempt.answer("x", {
					usage: { inputTokens: 20, outputTokens: 1_900, cacheReadTokens: 0, cacheWriteTokens: 0 },
				});
			}
			await clock.advance(0);
			expect(settled).toEqual(Array(7).fill(1_920));
			expect(sides.filter((side) => side.of(1).at(-1)?.type === "call-failed")).toHaveLength(9);
		});
	});

	it("keeps the key out of every error text, whatever the provider says", async () => {
		const { clock, connect, attempts } = setUp();
		const side = connect();
		side.start(1);
		await clock.advance(0);
		const text = `bad key ${CONFIG.apiKey} (starts with ${CONFIG.apiKey.slice(0, 12)}, ends with ${CONFIG.apiKey.slice(-9)})`;
		attempts[0]?.fail(new ClowderError("ERR_MODEL_SERVER", text, { details: { seen: [CONFIG.apiKey] } }));
		await clock.advance(500);
		attempts[1]?.fail(new ClowderError("ERR_MODEL_AUTH", text, { details: { seen: [CONFIG.apiKey] } }));
		await clock.advance(0);
		expect(typesOf(side, 1)).toEqual(["call-retrying", "call-failed"]);
		const sent = JSON.stringify(side.events);
		expect(sent).not.toMatch(/sk-ant|secret/);
		expect(errorOf(side, 1).message).toBe("bad key [redacted] (starts with [redacted], ends with [redacted])");
	});

	it("fails each call of a configuration that cannot be used, and says why", async () => {
		const clock = createFakeClock();
		const gateway = createGateway({ config: { provider: "scripted" }, clock });
		const side = createAgentSide();
		gateway.connect(side.port);
		side.start(1);
		await expect.poll(() => side.events.length, { interval: 5, timeout: 8_000 }).toBe(1);
		expect(errorOf(side, 1)).toMatchObject({
			code: "ERR_MODEL_CONFIG",
			message: "The scripted model has neither a script nor a module. Set `script` or `module`",
		});
	});
});
