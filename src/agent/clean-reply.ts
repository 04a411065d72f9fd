// A model's reply as it may go into the history. Servers that speak the Messages API differ: ids that repeat,
// input that is no object, blank text. The API would refuse the next request over any of these.

import { newId } from "../lib/ids.ts";
import type { AssistantBlock, Message, ToolUseBlock } from "../wire/conversation.ts";
import type { ModelReply, StopReason } from "../wire/model-call.ts";
import { isText, isToolUse } from "./blocks.ts";
import { isBlank } from "./well-formed.ts";

const ID = /^[a-zA-Z0-9_-]{1,128}$/;
const NOT_NAME = /[^a-zA-Z0-9_-]/g;
const MAX_NAME = 128;

export interface CleanReply {
	/** Empty when the reply says and calls nothing: then there is nothing to commit. */
	readonly content: readonly AssistantBlock[];
	/** The call that the output limit cut off: its input is incomplete, so it must not run. */
	readonly cutCallId?: string;
}

/** Makes a reply fit to be committed behind `messages`. */
export function cleanReply(
	{ content, stopReason }: Pick<ModelReply, "content" | "stopReason">,
	messages: readonly Message[],
): CleanReply {
	const known = content.some(isToolUse) ? callIdsIn(messages) : new Set<string>();
	const last = content.at(-1);
	const endsInCutCall = last?.type === "tool_use" && isCut(stopReason);
	const usable = content.filter(isUsable).map((block) => (isToolUse(block) ? cleanCall(block, known) : block));
	// Thinking alone is not a message: the API wants words or a call after it.
	if (!usable.some((block) => isText(block) || isToolUse(block))) return { content: [] };
	const cut = usable.at(-1);
	if (!endsInCutCall || cut?.type !== "tool_use") return { content: usable };
	return { content: [...usable.slice(0, -1), { ...cut, input: {} }], cutCallId: cut.id };
}

/** The reply ended because it reached a limit on tokens, not because it was complete. */
export function isCut(stopReason: StopReason): boolean {
	return stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";
}

function callIdsIn(messages: readonly Message[]): Set<string> {
	const ids = new Set<string>();
	for (const message of messages) {
		for (const block of message.content) if (isToolUse(block)) ids.add(block.id);
	}
	return ids;
}

function isUsable(block: AssistantBlock): boolean {
	if (block.type === "text") return !isBlank(block.text);
	// Cut off inside its thinking, a reply has no signature, and the API takes none without.
	return block.type !== "thinking" || block.signature !== "";
}

function cleanCall(call: ToolUseBlock, known: Set<string>): ToolUseBlock {
	const id = ID.test(call.id) && !known.has(call.id) ? call.id : newId("toolu");
	known.add(id);
	const name = call.name.replace(NOT_NAME, "_").slice(0, MAX_NAME) || "unnamed";
	const isObject = typeof call.input === "object" && call.input !== null && !Array.isArray(call.input);
	if (id === call.id && name === call.name && isObject) return call;
	return { type: "tool_use", id, name, input: isObject ? call.input : { value: call.input ?? null } };
}
