// Reads a request's history the way the rules need it: who asks for what, what has been called since, and
// what came back. Tolerant: whatever cannot be read is left out.

import type { AssistantBlock, Message, TextBlock, ToolUseBlock, UserBlock } from "../../wire/conversation.ts";

/** A call the rules made (or want to make). */
export interface ToolCall {
	readonly name: string;
	readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolAnswer {
	readonly text: string;
	readonly isError: boolean;
}

export interface MadeCall extends ToolCall {
	/** Undefined while there is no result. */
	readonly answer: ToolAnswer | undefined;
}

export interface HistoryEntry {
	readonly message: Message;
	/** What a person or another agent said: text blocks of a user message without tool results. */
	readonly said: string | undefined;
}

export function readHistory(messagesJson: readonly string[]): HistoryEntry[] {
	return messagesJson.flatMap((json) => {
		const message = parseMessage(json);
		return message ? [{ message, said: saidIn(message) }] : [];
	});
}

/** All text blocks of user messages, also those that stand beside tool results, oldest first. */
export function userTexts(entries: readonly HistoryEntry[]): string[] {
	return entries.flatMap(({ message }) => (message.role === "user" ? textsOf(message.content) : []));
}

/** The tool calls in `entries` with their results, in the order they were made. */
export function madeCalls(entries: readonly HistoryEntry[]): MadeCall[] {
	const answers = new Map<string, ToolAnswer>();
	const uses: ToolUseBlock[] = [];
	for (const { message } of entries) {
		if (message.role === "assistant") {
			uses.push(...message.content.filter((block): block is ToolUseBlock => block.type === "tool_use"));
			continue;
		}
		for (const block of message.content) {
			if (block.type !== "tool_result") continue;
			const text = typeof block.content === "string" ? block.content : textsOf(block.content).join("\n");
			answers.set(block.tool_use_id, { text, isError: block.is_error === true });
		}
	}
	return uses.map((use) => ({ name: use.name, input: asRecord(use.input), answer: answers.get(use.id) }));
}

function parseMessage(json: string): Message | undefined {
	try {
		const value = asRecord(JSON.parse(json));
		if (value.role !== "user" && value.role !== "assistant") return undefined;
		// The Messages API also takes a plain string as content.
		const content = typeof value.content === "string" ? [{ type: "text", text: value.content }] : value.content;
		if (!Array.isArray(content)) return undefined;
		return { role: value.role, content: content as never };
	} catch {
		return undefined;
	}
}

function saidIn(message: Message): string | undefined {
	if (message.role !== "user" || message.content.some((block) => block.type === "tool_result")) return undefined;
	return textsOf(message.content).join("\n\n");
}

function textsOf(blocks: readonly (AssistantBlock | UserBlock)[]): string[] {
	return blocks.filter((block): block is TextBlock => block.type === "text").map((block) => block.text);
}

function asRecord(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
