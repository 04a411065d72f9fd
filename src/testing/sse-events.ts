// A reply as the events of the Messages API's stream.
// https://platform.claude.com/docs/en/build-with-claude/streaming

import type { AssistantBlock } from "../wire/conversation.ts";

export interface WireEvent {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** A whole reply in the API's shape. */
export interface WireMessage {
	readonly id: string;
	readonly model: string;
	readonly content: readonly AssistantBlock[];
	readonly stop_reason: string;
	readonly usage: { readonly output_tokens: number; readonly [field: string]: number };
}

/** The events of one reply; each text comes in `deltas` pieces. */
export function eventsOf(message: WireMessage, deltas: number): WireEvent[] {
	const { content, stop_reason, usage, ...rest } = message;
	const opening = {
		...rest,
		type: "message",
		role: "assistant",
		content: [],
		stop_reason: null,
		stop_sequence: null,
		usage: { ...usage, output_tokens: 1 },
	};
	return [
		{ type: "message_start", message: opening },
		{ type: "ping" },
		...content.flatMap((block, index) => blockEvents(block, index, deltas)),
		{
			type: "message_delta",
			delta: { stop_reason, stop_sequence: null },
			usage: { output_tokens: usage.output_tokens },
		},
		{ type: "message_stop" },
	];
}

function blockEvents(block: AssistantBlock, index: number, deltas: number): WireEvent[] {
	const delta = (fields: Readonly<Record<string, unknown>>) => ({ type: "content_block_delta", index, delta: fields });
	const whole = (content_block: unknown, events: WireEvent[]) => [
		{ type: "content_block_start", index, content_block },
		...events,
		{ type: "content_block_stop", index },
	];
	switch (block.type) {
		case "text":
			return whole(
				{ type: "text", text: "" },
				cut(block.text, deltas).map((text) => delta({ type: "text_delta", text })),
			);
		case "thinking":
			return whole({ type: "thinking", thinking: "", signature: "" }, [
				...cut(block.thinking, deltas).map((thinking) => delta({ type: "thinking_delta", thinking })),
				delta({ type: "signature_delta", signature: block.signature }),
			]);
		case "redacted_thinking":
			return whole(block, []);
		case "tool_use":
			return whole(
				{ type: "tool_use", id: block.id, name: block.name, input: {} },
				cut(inputText(block.input), 2).map((partial_json) => delta({ type: "input_json_delta", partial_json })),
			);
	}
}

// A string is sent as it is: that is how a script sends input that is not JSON.
function inputText(input: unknown): string {
	return typeof input === "string" ? input : JSON.stringify(input ?? {});
}

function cut(text: string, count: number): string[] {
	const characters = Array.from(text);
	const size = Math.max(1, Math.ceil(characters.length / Math.max(1, count)));
	const pieces: string[] = [];
	for (let start = 0; start < characters.length; start += size) {
		pieces.push(characters.slice(start, start + size).join(""));
	}
	return pieces;
}
