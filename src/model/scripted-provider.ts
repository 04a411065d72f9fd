// A model that plays a script: text, tool calls, delays and everything that goes wrong with a real one.
// Deterministic and without network, for tests, demonstrations and measurements.

import { ClowderError, isClowderError, messageOf } from "../errors.ts";
import { type Clock, waitFor } from "../lib/clock.ts";
import type { AssistantBlock, Usage } from "../wire/conversation.ts";
import type { ModelRequest } from "../wire/model-call.ts";
import type { ScriptedConfig, ScriptedReply } from "../wire/model-config.ts";
import { cancelledError } from "./cancelled.ts";
import type { AttemptHooks, AttemptReply, ModelProvider } from "./provider.ts";
import { providerError } from "./provider-errors.ts";
import { loadScriptModule, type ScriptModule, toScriptCall } from "./script-module.ts";
import { createAttemptCounter, pickReply } from "./script-state.ts";
import { CHARACTERS_PER_TOKEN } from "./usage-meter.ts";

const HOST = "The scripted model";

/**
 * Builds the provider for one script.
 *
 * **Ordering**: each attempt of a run, failed or cancelled ones included, plays the next reply of its list.
 * @throws ClowderError ERR_MODEL_CONFIG when the module cannot be used or there is no script.
 */
export async function createScriptedProvider(config: ScriptedConfig, clock: Clock): Promise<ModelProvider> {
	const answer = await loadAnswer(config);
	const attempts = createAttemptCounter();
	return {
		gateKey: (request) => `scripted ${request.model}`,
		async attempt(request, hooks) {
			const call = toScriptCall(request, attempts.next(request.caller), hooks.signal);
			const reply = await askScript(answer, call);
			if (reply.delayMs) await waitFor(clock, reply.delayMs, hooks.signal).catch(throwAborted);
			hooks.onActivity();
			return play(reply, request, hooks);
		},
	};
}

async function loadAnswer({ script, module }: ScriptedConfig): Promise<ScriptModule> {
	if (module) return loadScriptModule(module);
	if (script) return ({ caller, attempt }) => pickReply(script, caller, attempt);
	throw new ClowderError("ERR_MODEL_CONFIG", "The scripted model has neither a script nor a module", {
		remedy: "Set `script` or `module`",
	});
}

async function askScript(answer: ScriptModule, call: Parameters<ScriptModule>[0]): Promise<ScriptedReply> {
	try {
		return await answer(call);
	} catch (thrown) {
		if (isClowderError(thrown)) throw thrown;
		throw new ClowderError("ERR_SCRIPT", `The script failed: ${messageOf(thrown)}`, { cause: thrown });
	}
}

async function play(reply: ScriptedReply, request: ModelRequest, hooks: AttemptHooks): Promise<AttemptReply> {
	if (reply.error) throw asProviderError(reply.error, request.model);
	const content = contentOf(reply, request);
	const usage = usageOf(reply, content, request);
	hooks.onUsage?.(usage);
	for (const piece of piecesOf(content, reply.deltas ?? 1)) {
		if (hooks.signal.aborted) throwAborted();
		hooks.onText(piece);
		// As on a real connection, pieces arrive one by one and a cancel can come between them.
		await Promise.resolve();
	}
	if (reply.fault === "stall") await untilAborted(hooks.signal);
	if (reply.fault === "cut") {
		throw new ClowderError("ERR_MODEL_SERVER", `${HOST} cut the stream: the reply ended before it was complete`);
	}
	const usesTools = content.some((block) => block.type === "tool_use");
	return {
		content,
		stopReason: reply.stopReason ?? (usesTools ? "tool_use" : "end_turn"),
		usage,
		model: request.model,
	};
}

function asProviderError({ status, retryAfterMs, message }: NonNullable<ScriptedReply["error"]>, model: string) {
	return providerError({ host: HOST, model, status, reason: message ?? "", retryAfterMs });
}

function contentOf(reply: ScriptedReply, { caller }: ModelRequest): readonly AssistantBlock[] {
	if (reply.content) return reply.content;
	const agent = caller.name.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40);
	const toolUses = (reply.toolUses ?? []).map(
		({ id, name, input }, position): AssistantBlock => ({
			type: "tool_use",
			id: id ?? `toolu_${agent}_${caller.turn}_${position + 1}`,
			name,
			input,
		}),
	);
	return [...(reply.text ? [{ type: "text", text: reply.text } as const] : []), ...toolUses];
}

// From lengths, so that budgets and totals have something real to count.
function usageOf(reply: ScriptedReply, content: readonly AssistantBlock[], request: ModelRequest): Usage {
	const read = request.messagesJson.reduce((sum, json) => sum + json.length, request.system.length);
	return {
		inputTokens: Math.ceil((read + request.toolsJson.length) / CHARACTERS_PER_TOKEN),
		outputTokens: Math.ceil(JSON.stringify(content).length / CHARACTERS_PER_TOKEN),
		cacheReadTokens: 0,
		cacheWriteTokens: 0,
		...reply.usage,
	};
}

// Cut between characters, never inside one: halves of a surrogate pair are not text.
function piecesOf(content: readonly AssistantBlock[], count: number): string[] {
	const characters = Array.from(content.flatMap((block) => (block.type === "text" ? block.text : [])).join(""));
	const size = Math.max(1, Math.ceil(characters.length / Math.max(1, count)));
	const pieces: string[] = [];
	for (let start = 0; start < characters.length; start += size) {
		pieces.push(characters.slice(start, start + size).join(""));
	}
	return pieces;
}

function untilAborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		const abort = () => reject(cancelledError());
		if (signal.aborted) abort();
		else signal.addEventListener("abort", abort, { once: true });
	});
}

function throwAborted(): never {
	throw cancelledError();
}
