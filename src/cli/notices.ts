// What the lead was told between two turns, as people see it.

import type { Message } from "../wire/conversation.ts";

/** The summaries of the notifications in a message of the history. */
export function notificationsIn(messageJson: string): string[] {
	// Most messages hold none, and need no parsing.
	if (!messageJson.includes("<task-notification>")) return [];
	const { content } = JSON.parse(messageJson) as Message;
	return content.flatMap((block) => {
		if (block.type !== "text" || !block.text.startsWith("<task-notification>")) return [];
		const [, summary] = /<summary>([^<]*)<\/summary>/.exec(block.text) ?? [];
		return summary === undefined ? [] : [summary];
	});
}
