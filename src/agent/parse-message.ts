// Reads one stored message. Transcripts come from disk and may be of another program or cut short,
// so the shape is checked block by block; what cannot be used is left out and named.

import type { Message } from "../wire/conversation.ts";

export interface ParsedMessage {
	/** Absent when nothing of the text can be used. */
	readonly message?: Message;
	/** What was wrong, in words. */
	readonly problem?: string;
}

export function parseMessage(json: string): ParsedMessage {
	const value = parseJson(json);
	if (!isRecord(value)) return { problem: "A stored message is not a JSON object" };
	const { role } = value;
	if (role !== "user" && role !== "assistant") return { problem: `A stored message has the role '${String(role)}'` };
	if (typeof value.content === "string") {
		const content = [{ type: "text", text: value.content }];
		return { message: { role, content } as Message, problem: "A stored message has text in the place of blocks" };
	}
	if (!Array.isArray(value.content)) return { problem: "A stored message has no content" };
	const blocks = value.content.filter((block) => isUsableBlock(block, role));
	if (blocks.length === value.content.length) return { message: value as unknown as Message };
	const message = { role, content: blocks } as unknown as Message;
	return { message, problem: `${value.content.length - blocks.length} blocks of a stored message cannot be used` };
}

function isUsableBlock(block: unknown, role: "user" | "assistant"): boolean {
	if (!isRecord(block)) return false;
	switch (block.type) {
		case "text":
			return typeof block.text === "string";
		case "tool_use":
			return role === "assistant" && isName(block.id) && isName(block.name) && isRecord(block.input);
		case "tool_result":
			return role === "user" && isName(block.tool_use_id) && isResultContent(block.content);
		case "thinking":
			return role === "assistant" && typeof block.thinking === "string" && isName(block.signature);
		case "redacted_thinking":
			return role === "assistant" && isName(block.data);
		default:
			return false;
	}
}

function isResultContent(content: unknown): boolean {
	if (typeof content === "string") return true;
	return (
		Array.isArray(content) &&
		content.every((block) => isRecord(block) && block.type === "text" && typeof block.text === "string")
	);
}

function isName(value: unknown): boolean {
	return typeof value === "string" && value !== "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}
