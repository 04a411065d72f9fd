// The offline model: fixed rules behind the same interface as Claude, so that everything around it is real
// (threads, tools, permissions, the bus) without a key or a network. Runs in the gateway thread.

import { type Clock, waitFor } from "../../lib/clock.ts";
import type { AssistantBlock } from "../../wire/conversation.ts";
import type { ModelRequest } from "../../wire/model-call.ts";
import type { OfflineConfig } from "../../wire/model-config.ts";
import type { AttemptReply, ModelProvider } from "../provider.ts";
import { OFFLINE_MODEL } from "./about.ts";
import { decideStep } from "./decide-step.ts";
import type { Step } from "./steps.ts";

const CHARACTERS_PER_TOKEN = 4;

/**
 * Builds the offline model.
 *
 * **Contract**: a reply is a pure function of the request: the same history gets the same answer.
 * **Cancellation**: a call that waits out `delayMs` rejects with the signal's reason.
 */
export function createOfflineProvider(config: OfflineConfig, clock: Clock): ModelProvider {
	return {
		gateKey: () => OFFLINE_MODEL,
		async attempt(request, hooks) {
			hooks.signal.throwIfAborted();
			if (config.delayMs) await waitFor(clock, config.delayMs, hooks.signal, { keepAlive: true });
			const step = decideStep({
				messagesJson: request.messagesJson,
				toolNames: readToolNames(request.toolsJson),
				toolFree: request.toolFree === true,
			});
			const reply = replyOf(request, step);
			hooks.onActivity();
			if (step.text !== "") hooks.onText(step.text);
			return reply;
		},
	};
}

function replyOf(request: ModelRequest, step: Step): AttemptReply {
	const content: AssistantBlock[] = step.text === "" ? [] : [{ type: "text", text: step.text }];
	if (step.kind === "call") {
		// Turn numbers never repeat in one agent's life, so neither do ids; a retry gets the same ones.
		content.push(
			...step.calls.map(({ name, input }, at) => {
				return { type: "tool_use", id: `toolu_offline_${request.caller.turn}_${at + 1}`, name, input } as const;
			}),
		);
	}
	return {
		content,
		stopReason: step.kind === "call" ? "tool_use" : "end_turn",
		usage: {
			inputTokens: tokensIn(request.system, request.toolsJson, ...request.messagesJson),
			outputTokens: tokensIn(JSON.stringify(content)),
			cacheReadTokens: 0,
			cacheWriteTokens: 0,
		},
		model: OFFLINE_MODEL,
	};
}

function tokensIn(...texts: readonly string[]): number {
	return Math.ceil(texts.reduce((total, text) => total + text.length, 0) / CHARACTERS_PER_TOKEN);
}

function readToolNames(toolsJson: string): ReadonlySet<string> {
	try {
		const specs: unknown = JSON.parse(toolsJson);
		return new Set(Array.isArray(specs) ? specs.map((spec: { name?: unknown }) => String(spec?.name)) : []);
	} catch {
		return new Set();
	}
}
