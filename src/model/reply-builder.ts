// Puts a reply together from the events of a stream. Servers are sloppy and streams break anywhere, so every
// field is looked at before it is used, and unknown events and blocks are passed over.

import type { AssistantBlock, Usage } from "../wire/conversation.ts";
import type { StopReason } from "../wire/model-call.ts";
import { createUsageMeter, type WireUsage } from "./usage-meter.ts";

/** One event of the stream, as JSON gives it. */
export interface StreamEvent {
	readonly type?: unknown;
	readonly index?: unknown;
	readonly message?: { readonly usage?: WireUsage | null };
	readonly content_block?: Readonly<Record<string, unknown>>;
	readonly delta?: Readonly<Record<string, unknown>>;
	readonly usage?: WireUsage | null;
}

export interface ReplyBuilder {
	accept(event: StreamEvent): void;
	/** Whether the stream said that it is over; without that it was cut. */
	readonly complete: boolean;
	finish(): { readonly content: AssistantBlock[]; readonly stopReason: StopReason; readonly usage: Usage };
}

export interface ReplyListener {
	onText(text: string): void;
	onUsage(usage: Usage): void;
}

interface Draft {
	readonly type: string;
	readonly start: Readonly<Record<string, unknown>>;
	/** Text, thinking or the JSON of a tool's input. */
	body: string;
	signature: string;
}

const STOP_REASONS: readonly string[] = [
	"end_turn",
	"tool_use",
	"max_tokens",
	"stop_sequence",
	"pause_turn",
	"refusal",
	"model_context_window_exceeded",
] satisfies StopReason[];
const MAX_INVALID_JSON = 2_000;

export function createReplyBuilder(listener: ReplyListener): ReplyBuilder {
	const drafts = new Map<number, Draft>();
	const meter = createUsageMeter(listener.onUsage);
	let stopReason: string | undefined;
	let complete = false;

	function start(index: number, block: Readonly<Record<string, unknown>>): void {
		const draft: Draft = { type: stringOf(block.type), start: block, body: "", signature: stringOf(block.signature) };
		drafts.set(index, draft);
		grow(draft, draft.type === "thinking" ? stringOf(block.thinking) : stringOf(block.text));
	}

	function grow(draft: Draft, piece: string): void {
		if (piece === "") return;
		draft.body += piece;
		meter.received(piece.length);
		if (draft.type === "text") listener.onText(piece);
	}

	function applyDelta(index: number, delta: Readonly<Record<string, unknown>>): void {
		if (!drafts.has(index)) start(index, { type: TYPE_OF_DELTA[stringOf(delta.type)] ?? "" });
		const draft = drafts.get(index) as Draft;
		if (delta.type === "text_delta") grow(draft, stringOf(delta.text));
		else if (delta.type === "thinking_delta") grow(draft, stringOf(delta.thinking));
		else if (delta.type === "input_json_delta") grow(draft, stringOf(delta.partial_json));
		else if (delta.type === "signature_delta") draft.signature += stringOf(delta.signature);
	}

	return {
		get complete() {
			return complete;
		},
		accept(event) {
			const index = typeof event.index === "number" ? event.index : 0;
			if (event.type === "message_start") meter.report(event.message?.usage);
			else if (event.type === "content_block_start") start(index, event.content_block ?? {});
			else if (event.type === "content_block_delta") applyDelta(index, event.delta ?? {});
			else if (event.type === "message_delta") {
				stopReason = stringOf(event.delta?.stop_reason) || stopReason;
				meter.report(event.usage, "final");
			} else if (event.type === "message_stop") complete = true;
		},
		finish() {
			const content = [...drafts].sort(([a], [b]) => a - b).flatMap(([, draft]) => toBlock(draft) ?? []);
			return { content, stopReason: toStopReason(stopReason, content), usage: meter.usage() };
		},
	};
}

const TYPE_OF_DELTA: Readonly<Record<string, string>> = {
	text_delta: "text",
	thinking_delta: "thinking",
	signature_delta: "thinking",
};

function toBlock(draft: Draft): AssistantBlock | undefined {
	switch (draft.type) {
		case "text":
			// The API refuses empty text when the message is sent back to it.
			return draft.body.trim() === "" ? undefined : { type: "text", text: draft.body };
		case "thinking":
			return { type: "thinking", thinking: draft.body, signature: draft.signature };
		case "redacted_thinking":
			return { type: "redacted_thinking", data: stringOf(draft.start.data) };
		case "tool_use":
			return {
				type: "tool_use",
				id: stringOf(draft.start.id) || `toolu_${crypto.randomUUID()}`,
				name: stringOf(draft.start.name),
				input: toInput(draft),
			};
		default:
			return undefined;
	}
}

// Broken input is data for the model to see and correct, not a failure of the call.
function toInput({ body, start }: Draft): unknown {
	if (body.trim() === "") return isPlainObject(start.input) ? start.input : {};
	try {
		const input: unknown = JSON.parse(body);
		if (isPlainObject(input)) return input;
	} catch {
		// Falls through: cut by max_tokens, or never JSON.
	}
	return { __invalid_json: body.slice(0, MAX_INVALID_JSON) };
}

function toStopReason(reported: string | undefined, content: readonly AssistantBlock[]): StopReason {
	if (reported !== undefined && STOP_REASONS.includes(reported)) return reported as StopReason;
	return content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function stringOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}
