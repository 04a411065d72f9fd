// Which conversation it is that goes on: the last prompt and what was answered.

import type { Supervisor } from "../../runtime/supervisor.ts";
import type { Message } from "../../wire/conversation.ts";
import { oneLine } from "../terminal/plain-text.ts";
import type { LiveRegion } from "../terminal/region.ts";
import type { Terminal } from "../terminal/terminal.ts";

const MAX_CHARS = 200;
/** Messages that are looked through for a prompt. */
const MAX_MESSAGES = 400;

export async function showLastExchange(
	supervisor: Pick<Supervisor, "conversation">,
	region: LiveRegion,
	colors: Terminal["colors"],
): Promise<void> {
	const messages = await supervisor.conversation({ last: MAX_MESSAGES }).catch(() => []);
	const lines = lastExchange(messages.map((json) => JSON.parse(json) as Message));
	if (lines.length === 0) return;
	region.print(`${["The conversation goes on. Last in it:", ...lines].map((line) => colors.dim(line)).join("\n")}\n`);
}

/** `> ` what the person asked last, and the last text after it. */
export function lastExchange(messages: readonly Message[]): string[] {
	const at = messages.findLastIndex((message) => message.role === "user" && promptIn(message) !== undefined);
	const asked = messages[at];
	const answered = messages
		.slice(at + 1)
		.findLast(({ role, content }) => role === "assistant" && content.some(({ type }) => type === "text"));
	const answer = answered?.content.findLast((block) => block.type === "text");
	return [
		...(asked === undefined ? [] : [`  > ${oneLine(promptIn(asked) ?? "", MAX_CHARS)}`]),
		...(answer?.type === "text" ? [`  ${oneLine(answer.text, MAX_CHARS)}`] : []),
	];
}

// What came of itself, and reminders, stand in tags.
function promptIn({ content }: Message): string | undefined {
	for (const block of content) {
		if (block.type === "text" && block.text.trim() !== "" && !/^\s*<[a-z]/.test(block.text)) return block.text;
	}
	return undefined;
}
