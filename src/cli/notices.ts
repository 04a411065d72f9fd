// What the lead was told between two turns, as people see it.

import type { Message } from "../wire/conversation.ts";

/** What came of itself in a message of the history: summaries of notifications, and scheduled prompts. */
export function notificationsIn(messageJson: string): string[] {
	// Most messages hold none, and need no parsing.
	if (!/<task-notification>|<scheduled-prompt |<agent-message /.test(messageJson)) return [];
	const { content } = JSON.parse(messageJson) as Message;
	return content.flatMap((block) => {
		if (block.type !== "text") return [];
		const [, scheduled] = /^<scheduled-prompt [^>]*>\n[^\n]*\n\n(.*)\n<\/scheduled-prompt>$/s.exec(block.text) ?? [];
		if (scheduled !== undefined) return [`Scheduled: ${scheduled}`];
		const [, from, summary] = /^<agent-message from="([^"]*)"[^>]*?(?: summary="([^"]*)")?>/.exec(block.text) ?? [];
		if (from !== undefined) return [unescaped(summary ?? `a message from ${from}`)];
		if (!block.text.startsWith("<task-notification>")) return [];
		const [, told] = /<summary>([^<]*)<\/summary>/.exec(block.text) ?? [];
		return told === undefined ? [] : [unescaped(told)];
	});
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };

function unescaped(text: string): string {
	return text.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
