import fc from "fast-check";
import { expect, test } from "vitest";
import { findHistoryFaults } from "../../src/agent/history-invariants.ts";
import { InterruptReason } from "../../src/agent/interrupt-reason.ts";
import { runPrompt } from "../../src/agent/run-prompt.ts";
import { ClowderError } from "../../src/errors.ts";
import type { AssistantBlock } from "../../src/wire/conversation.ts";
import type { StopReason } from "../../src/wire/model-call.ts";
import { envelope, fakeAgent, type Play, requestFaults, says, tool } from "./fake-deps.ts";

// What a model, a server or a network may do, good or bad: every block, every stop reason, errors, hanging calls.
const block: fc.Arbitrary<AssistantBlock> = fc.oneof(
	fc.constantFrom("words", "", "  \n", "\ud83d").map((text) => ({ type: "text", text }) as const),
	fc.constantFrom("sig", "").map((signature) => ({ type: "thinking", thinking: "hm", signature }) as const),
	fc
		.record({
			id: fc.constantFrom("a", "b", "c", "", "bad id"),
			name: fc.constantFrom("quick", "read", "fail", "stop-me", "huge", "unknown", ""),
			input: fc.constantFrom<unknown>({}, { n: 1 }, "words", null, [1]),
		})
		.map((call) => ({ type: "tool_use", ...call }) as const),
);
const stopReason = fc.constantFrom<StopReason>(
	"end_turn",
	"tool_use",
	"max_tokens",
	"stop_sequence",
	"pause_turn",
	"refusal",
	"model_context_window_exceeded",
);
const play: fc.Arbitrary<Play | "hang"> = fc.oneof(
	{ weight: 8, arbitrary: fc.record({ content: fc.array(block, { maxLength: 4 }), stopReason }) },
	{
		weight: 1,
		arbitrary: fc
			.constantFrom("ERR_PROMPT_TOO_LONG", "ERR_MODEL_SERVER", "ERR_BUDGET", "ERR_MODEL_BAD_REQUEST")
			.map((code) => new ClowderError(code, "failed")),
	},
	{ weight: 1, arbitrary: fc.constant("hang" as const) },
);

interface Step {
	readonly prompt: string | undefined;
	readonly mail: number;
	readonly interrupt: boolean;
}
const step: fc.Arbitrary<Step> = fc.record({
	prompt: fc.constantFrom("do it", "again", "  ", undefined),
	mail: fc.nat(2),
	interrupt: fc.boolean(),
});

test("makes only requests the API takes and leaves a valid history, whatever models, tools and people do", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(play, { maxLength: 14 }),
			fc.array(step, { minLength: 1, maxLength: 4 }),
			async (plays, steps) => {
				let controller = new AbortController();
				const interrupt = () => controller.abort(new InterruptReason("Ctrl-C"));
				const agent = fakeAgent({
					plays: plays.map((one): Play => {
						if (one !== "hang") return one;
						return () => {
							interrupt();
							return new Promise<never>(() => {});
						};
					}),
					afterwards: says("the end"),
					limits: { turns: 6 },
					contextWindow: 4_000,
					maxTokens: 300,
					tools: [
						tool("quick", () => "ok"),
						tool("read", () => "r".repeat(3_000), { readOnly: true }),
						tool("fail", () => Promise.reject(new Error("no"))),
						tool("huge", () => "h".repeat(90_000), { readOnly: true }),
						tool("stop-me", () => {
							interrupt();
							return "stopped";
						}),
					],
				});
				for (const { prompt, mail, interrupt: early } of steps) {
					controller = new AbortController();
					if (early) interrupt();
					for (let n = 0; n < mail; n += 1) agent.inbox.push(envelope({ id: `env_${agent.commits.length}_${n}` }));
					const outcome = await runPrompt(agent.deps, prompt, controller.signal);
					expect(typeof outcome.reason).toBe("string");
					expect(findHistoryFaults(agent.conversation.messages)).toEqual([]);
				}
				controller = new AbortController();
				await runPrompt(agent.deps, "last", controller.signal);
				expect(requestFaults(agent)).toEqual([]);
				expect(agent.clock.pending()).toBe(0);
			},
		),
		{ numRuns: 150 },
	);
}, 30_000);
