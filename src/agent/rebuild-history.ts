// The history after a summary: what people asked, word for word; the summary; the newest turns as they were.
//
//   user       goal · other texts of the user · <conversation-summary> · current request
//   assistant  the newest turns, from the start of a turn, so that no call loses its results …
//
// The user's texts stay blocks of their own, so the next compaction finds them again just as they are.

import type { Message } from "../wire/conversation.ts";
import { isAddedText, isAgentMessage, tagged } from "./added-text.ts";
import { isText, lastAssistantIndex, textBlock } from "./blocks.ts";
import { byteSize } from "./context-gauge.ts";

export interface RebuildOptions {
	readonly messages: readonly Message[];
	/** The same messages, as they are sent. */
	readonly messagesJson: readonly string[];
	readonly summary: string;
	/** Room for the texts of people and other agents; the first, the newest and the current request always stay. */
	readonly textBytes: number;
	/** Room for the newest turns; the last one always stays. */
	readonly tailBytes: number;
}

interface Spoken {
	readonly text: string;
	readonly isFromAgent: boolean;
}

/** Undefined when nothing would go: there is only the first message before the turns that stay. */
export function rebuildHistory(options: RebuildOptions): Message[] | undefined {
	const { messages, summary, textBytes } = options;
	const start = findTailStart(options);
	if (start <= 1) return undefined;
	const tail = messages.slice(start);
	const spoken = spokenIn(messages.slice(0, start));
	const kept = pickSpoken(spoken, textBytes);
	// The request that is being worked on comes last, unless a newer one stands in the tail anyway.
	const request = kept.length > 1 && spokenIn(tail).length === 0 ? kept.at(-1) : undefined;
	const above = request ? kept.slice(0, -1) : kept;
	const content = [
		...above.map(({ text }) => textBlock(text)),
		textBlock(summaryText(summary, above.length, spoken.length - kept.length)),
		...(request ? [textBlock(request.text)] : []),
	];
	return [{ role: "user", content }, ...tail];
}

// The first message of the tail is always the assistant's: with it begins a turn.
function findTailStart({ messages, messagesJson, tailBytes }: RebuildOptions): number {
	let start = lastAssistantIndex(messages);
	let bytes = 0;
	for (let index = messages.length - 1; index > 0; index -= 1) {
		bytes += byteSize(messagesJson[index] ?? "");
		if (bytes > tailBytes) break;
		if (messages[index]?.role === "assistant") start = Math.min(start, index);
	}
	return start;
}

function spokenIn(messages: readonly Message[]): Spoken[] {
	return messages
		.filter((message) => message.role === "user")
		.flatMap((message) => message.content.filter(isText))
		.map(({ text }) => ({ text, isFromAgent: isAgentMessage(text) }))
		.filter(({ text, isFromAgent }) => isFromAgent || !isAddedText(text));
}

function pickSpoken(spoken: readonly Spoken[], textBytes: number): Spoken[] {
	const byUser = spoken.filter(({ isFromAgent }) => !isFromAgent);
	const always = [byUser.at(0), byUser.at(-1), spoken.at(-1)].filter((one) => one !== undefined);
	const picked = new Set<Spoken>(always);
	let bytes = [...picked].reduce((sum, { text }) => sum + byteSize(text), 0);
	const newestFirst = [...byUser.toReversed(), ...spoken.filter(({ isFromAgent }) => isFromAgent).toReversed()];
	for (const one of newestFirst) {
		if (picked.has(one)) continue;
		bytes += byteSize(one.text);
		if (bytes > textBytes) break;
		picked.add(one);
	}
	return spoken.filter((one) => picked.has(one));
}

function summaryText(summary: string, above: number, leftOut: number): string {
	const intro = ["The conversation became too long; this summary stands in the place of its older part."];
	if (above > 0) intro.push("Above is what was asked, word for word, oldest first.");
	if (leftOut > 0) intro.push(`${leftOut} more texts are only in the summary.`);
	return tagged("conversation-summary", `${intro.join(" ")}\n\n${summary}`);
}
