// Lets the model write the summary of its own conversation. The conversation itself is not touched here.

import { ClowderError } from "../errors.ts";
import type { Message } from "../wire/conversation.ts";
import { systemNote } from "./added-text.ts";
import { lastAssistantIndex, textBlock, textOf } from "./blocks.ts";
import { callModelOnce, requestBytes } from "./call-model.ts";
import { mergeMessages } from "./history-invariants.ts";
import { rebuildHistory } from "./rebuild-history.ts";
import type { AgentDeps } from "./types.ts";
import { isBlank } from "./well-formed.ts";

const MAX_SUMMARY_TOKENS = 8_000;
const MAX_TRIES = 3;

export type Summary =
	| { readonly kind: "written"; readonly text: string }
	| { readonly kind: "failed"; readonly error: string };

/** Asks for a summary of the whole conversation, or of as much as fits the window. */
export async function summariseConversation(deps: AgentDeps, focus: string, signal: AbortSignal): Promise<Summary> {
	const maxTokens = Math.floor(Math.min(deps.maxTokens, MAX_SUMMARY_TOKENS, deps.contextWindow / 8));
	const request = instructions(focus);
	for (let attempt = 0; ; attempt += 1) {
		const room = (deps.state.gauge.roomBytes(deps.contextWindow, maxTokens) * 0.9) / 2 ** attempt;
		const messagesJson = messagesWithin(deps, room, request);
		const result = await callModelOnce(deps, { messagesJson, maxTokens, signal, toolFree: true, visible: false });
		if (result.kind === "aborted") return { kind: "failed", error: "it was interrupted" };
		if (result.kind === "failed") {
			if (result.code === "ERR_PROMPT_TOO_LONG" && attempt + 1 < MAX_TRIES) continue;
			return { kind: "failed", error: result.error };
		}
		const text = textOf(result.reply.content);
		if (result.reply.stopReason === "refusal") return { kind: "failed", error: "the model refused to write it" };
		if (isBlank(text)) return { kind: "failed", error: "the model wrote nothing" };
		return { kind: "written", text: text.trim() };
	}
}

function messagesWithin(deps: AgentDeps, roomBytes: number, request: string): readonly string[] {
	const { messages, messagesJson } = deps.conversation;
	if (requestBytes(deps, messagesJson) + Buffer.byteLength(request) <= roomBytes) {
		return withRequest(messages, messagesJson, request);
	}
	const summary = "(An older part of the conversation is left out here.)";
	const budget = { textBytes: roomBytes / 8, tailBytes: roomBytes / 2 };
	const shorter = rebuildHistory({ messages, messagesJson, summary, ...budget });
	if (!shorter) return withRequest(messages, messagesJson, request);
	return withRequest(
		shorter,
		shorter.map((message) => JSON.stringify(message)),
		request,
	);
}

function withRequest(messages: readonly Message[], messagesJson: readonly string[], request: string): string[] {
	const asked: Message = { role: "user", content: [textBlock(request)] };
	const last = messages.at(-1);
	if (!last) throw new ClowderError("ERR_HISTORY", "There is no conversation to summarise");
	if (lastAssistantIndex(messages) === messages.length - 1) return [...messagesJson, JSON.stringify(asked)];
	return [...messagesJson.slice(0, -1), JSON.stringify(mergeMessages(last, asked))];
}

function instructions(focus: string): string {
	const lines = [
		"The conversation is about to be replaced by a summary, because the window is nearly full. Write that summary now,",
		"for yourself: with it and the user's own texts, which are kept word for word, the work must go on without a break.",
		"Call no tool. Answer with the summary alone, under these headings:",
		"",
		"## Done — what was done, with the full paths of files read, made and changed, and commands that mattered",
		"## Found — facts, values, names and error texts that are still needed, exactly as they were",
		"## Decided — decisions and their reasons, what was tried and did not work, constraints that came up",
		"## State — what is half done, which agents, tasks or jobs are running, with their ids",
		"## Next — the very next steps",
	];
	if (!isBlank(focus)) lines.push("", `Pay special attention to: ${focus.trim()}`);
	return systemNote(lines.join("\n"));
}
