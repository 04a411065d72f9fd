// Thinking blocks are signed and bound to the model and to everything before them. Compaction, a fallback model
// or an edited history makes the API refuse them; the conversation itself is fine without.
// https://platform.claude.com/docs/en/build-with-claude/preserved-thinking

import { isClowderError } from "../errors.ts";
import type { AssistantBlock, Message, UserBlock } from "../wire/conversation.ts";

/** Whether the API refused a request because of thinking blocks in its history. */
export function isThinkingRefused(thrown: unknown): boolean {
	if (!isClowderError(thrown) || thrown.code !== "ERR_MODEL_BAD_REQUEST") return false;
	return /\b(?:redacted_)?thinking\b/.test(thrown.message) && /\bblocks?\b|\bsignature\b/.test(thrown.message);
}

/** Whether any message holds a thinking block. */
export function hasThinking(messagesJson: readonly string[]): boolean {
	return messagesJson.some(mentionsThinking);
}

/** The same messages without thinking blocks; a message that would be empty keeps a short text. */
export function withoutThinking(messagesJson: readonly string[]): string[] {
	return messagesJson.map((json) => (mentionsThinking(json) ? stripThinking(json) : json));
}

// A cheap look first: almost no message needs to be parsed.
function mentionsThinking(json: string): boolean {
	return json.includes('"thinking"') || json.includes('"redacted_thinking"');
}

function stripThinking(json: string): string {
	const message = JSON.parse(json) as Message;
	if (message.role !== "assistant" || !Array.isArray(message.content)) return json;
	const kept: (AssistantBlock | UserBlock)[] = message.content.filter(
		(block) => block.type !== "thinking" && block.type !== "redacted_thinking",
	);
	if (kept.length === 0) kept.push({ type: "text", text: "(no visible reply)" });
	return JSON.stringify({ ...message, content: kept });
}
