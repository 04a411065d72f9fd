// What the fake server answers: a scripted reply, plus what only a real connection can do wrong.

import type { AssistantBlock, Usage } from "../wire/conversation.ts";
import type { Script, ScriptedReply } from "../wire/model-config.ts";
import { type MessagesRequestBody, textOf } from "./messages-request.ts";

export interface FakeReply extends Omit<ScriptedReply, "error"> {
	/** Answers with this HTTP status instead of a reply. */
	readonly error?: NonNullable<ScriptedReply["error"]> & {
		readonly headers?: Readonly<Record<string, string>>;
		/** The whole body, instead of the API's error shape. */
		readonly body?: string;
	};
	/** Ends the connection without any answer. */
	readonly hangUp?: boolean;
	/** Sends this many events and then nothing more. */
	readonly stallAfterEvents?: number;
	/** Sends this many events and then drops the connection. */
	readonly cutAfterEvents?: number;
	/** Sends an event that is not JSON after this many events. */
	readonly malformedAfterEvents?: number;
	/** Sends the API's error event after `afterEvents` events and ends the stream. */
	readonly errorEvent?: { readonly afterEvents?: number; readonly type: string; readonly message?: string };
	/** Time between two events, in ms. */
	readonly eventDelayMs?: number;
}

/** Replies in the order of the requests, or by conversation. */
export type FakeScript =
	| readonly FakeReply[]
	| { readonly agents: Readonly<Record<string, readonly FakeReply[]>>; readonly afterEnd?: Script["afterEnd"] };

/**
 * Picks the reply for each request of a script.
 *
 * The server cannot see which agent calls. A key of `agents` stands for the conversations whose system text or
 * first message contains it (the longest such key), `*` for all others; each conversation plays its list from
 * the start, one reply per request.
 */
export function createReplyPicker(script: FakeScript): (body: MessagesRequestBody) => FakeReply | undefined {
	const requests = new Map<string, number>();
	const next = (conversation: string): number => {
		const position = requests.get(conversation) ?? 0;
		requests.set(conversation, position + 1);
		return position;
	};
	if (isList(script)) return () => script[next("")];
	const keys = Object.keys(script.agents).sort((a, b) => b.length - a.length);
	return (body) => {
		const opening = `${textOf(body.system)}\n${textOf(body.messages[0]?.content)}`;
		const replies = script.agents[keys.find((key) => opening.includes(key)) ?? "*"] ?? [];
		return replies[next(opening)] ?? (script.afterEnd === "repeat" ? replies.at(-1) : undefined);
	};
}

function isList(script: FakeScript): script is readonly FakeReply[] {
	return Array.isArray(script);
}

/** The blocks of a reply; ids are made from `serial` where the script gives none. */
export function contentOf(reply: FakeReply, serial: number): readonly AssistantBlock[] {
	if (reply.content) return reply.content;
	const toolUses = (reply.toolUses ?? []).map(
		({ id, name, input }, at): AssistantBlock => ({
			type: "tool_use",
			id: id ?? `toolu_fake_${serial}_${at + 1}`,
			name,
			input,
		}),
	);
	return [...(reply.text ? [{ type: "text", text: reply.text } as const] : []), ...toolUses];
}

/** Token counts as the API names them; those the script leaves out come from lengths. */
export function wireUsageOf(usage: Partial<Usage> | undefined, promptText: string, replyText: string) {
	return {
		input_tokens: usage?.inputTokens ?? Math.ceil(promptText.length / 4),
		cache_creation_input_tokens: usage?.cacheWriteTokens ?? 0,
		cache_read_input_tokens: usage?.cacheReadTokens ?? 0,
		output_tokens: usage?.outputTokens ?? Math.ceil(replyText.length / 4),
	};
}
