// The cheap part of compaction: tool results leave the conversation for files. Nothing is lost, no model is asked.
//   ① large results the model has seen become a preview          ② old results become a stub, oldest first
//   ③ only if that is not enough, results it has not seen yet become previews (never stubs), small enough together

import type { Message, ToolResultBlock } from "../wire/conversation.ts";
import { isToolResult, lastAssistantIndex, resultText } from "./blocks.ts";
import { byteSize } from "./context-gauge.ts";
import { type OutputPlace, previewOf, type SavedOutput, saveOutput, stubOf } from "./persisted-output.ts";

const LARGE_CHARS = 10_000;
const WORTH_A_STUB_CHARS = 600;
const SMALLEST_PREVIEW_CHARS = 800;
/** The mark and the path need some of it. */
const PREVIEW_SHARE = 0.7;

export interface ShrinkBudget {
	readonly bytesToSave: number;
	/** What all results the model has not seen yet may take together. */
	readonly unseenBytes: number;
}

interface Site {
	readonly block: ToolResultBlock;
	readonly text: string;
	readonly isSeen: boolean;
}

type Shorten = (text: string, saved: SavedOutput) => string;

/**
 * Shortens results until about `bytesToSave` are saved; messages without a change are the same objects.
 * A result whose file cannot be written stays as it is.
 */
export async function shrinkResults(
	place: OutputPlace,
	messages: readonly Message[],
	{ bytesToSave, unseenBytes }: ShrinkBudget,
): Promise<Message[]> {
	const shortened = new Map<ToolResultBlock, string>();
	let saved = 0;
	for (const { site, shorten } of planSteps(messages, unseenBytes)) {
		if (saved >= bytesToSave) break;
		const current = shortened.get(site.block) ?? site.text;
		const output = await trySave(place, site);
		const next = output ? shorten(site.text, output) : current;
		const gain = byteSize(current) - byteSize(next);
		if (gain <= 0) continue;
		saved += gain;
		shortened.set(site.block, next);
	}
	return messages.map((message) => withShortened(message, shortened));
}

function planSteps(
	messages: readonly Message[],
	unseenBytes: number,
): { readonly site: Site; readonly shorten: Shorten }[] {
	const sites = findResults(messages);
	const [seen, unseen] = [sites.filter((site) => site.isSeen), sites.filter((site) => !site.isSeen)];
	const share = Math.max(SMALLEST_PREVIEW_CHARS, Math.min(LARGE_CHARS, Math.floor(unseenBytes / unseen.length)));
	const isLarge = (site: Site) => site.text.length > LARGE_CHARS;
	return [
		...seen
			.filter(isLarge)
			.map((site) => ({ site, shorten: (text: string, saved: SavedOutput) => previewOf(text, saved) })),
		...seen
			.filter((site) => site.text.length > WORTH_A_STUB_CHARS)
			.map((site) => ({ site, shorten: (_text: string, saved: SavedOutput) => stubOf(saved) })),
		...unseen
			.filter((site) => site.text.length > share)
			.map((site) => ({
				site,
				shorten: (text: string, saved: SavedOutput) => previewOf(text, saved, Math.floor(share * PREVIEW_SHARE)),
			})),
	];
}

function findResults(messages: readonly Message[]): Site[] {
	const lastAssistant = lastAssistantIndex(messages);
	return messages.flatMap((message, index) =>
		message.content
			.filter(isToolResult)
			.map((block) => ({ block, text: resultText(block), isSeen: index < lastAssistant })),
	);
}

async function trySave(place: OutputPlace, { block, text }: Site): Promise<SavedOutput | undefined> {
	try {
		return await saveOutput(place, block.tool_use_id, text);
	} catch {
		return undefined;
	}
}

function withShortened(message: Message, shortened: ReadonlyMap<ToolResultBlock, string>): Message {
	if (message.role === "assistant") return message;
	if (!message.content.some((block) => isToolResult(block) && shortened.has(block))) return message;
	const content = message.content.map((block) => {
		const text = isToolResult(block) ? shortened.get(block) : undefined;
		return text === undefined ? block : ({ ...block, content: text } as ToolResultBlock);
	});
	return { role: "user", content };
}
