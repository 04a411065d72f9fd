// Small questions about the blocks of a message, asked all over the room.

import type { Message, TextBlock, ToolResultBlock, ToolUseBlock } from "../wire/conversation.ts";

type Block = Message["content"][number];

export function isToolUse(block: Block): block is ToolUseBlock {
	return block.type === "tool_use";
}

export function isToolResult(block: Block): block is ToolResultBlock {
	return block.type === "tool_result";
}

export function isText(block: Block): block is TextBlock {
	return block.type === "text";
}

export function textBlock(text: string): TextBlock {
	return { type: "text", text };
}

/** What the message says in words; several text blocks stand on lines of their own. */
export function textOf(content: readonly Block[]): string {
	return content
		.filter(isText)
		.map((block) => block.text)
		.join("\n");
}

/** The words of a tool result. */
export function resultText(block: ToolResultBlock): string {
	return typeof block.content === "string" ? block.content : textOf(block.content);
}

/** Where the last assistant message stands; -1 without one. Everything after it the model has not seen. */
export function lastAssistantIndex(messages: readonly Message[]): number {
	return messages.findLastIndex((message) => message.role === "assistant");
}
