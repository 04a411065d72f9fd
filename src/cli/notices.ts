// What the lead was told between two turns, as people see it.

import type { Message } from "../wire/conversation.ts";

/** What came of itself in a message of the history: summaries of notifications, and scheduled prompts. */
export function notificationsIn(messageJson: string): string[] {
	// Most messages hold none, and need no parsing.
	if (!/<task-notification>|<scheduled-prompt /.test(messageJson)) return [];
	const { content } = JSON.parse(messageJson) as Message;
	return content.flatMap((block) => {
		if (block.type !== "text") return [];
		const [, scheduled] = /^<scheduled-prompt [^>]*>\n[^\n]*\n\n(.*)\n<\/scheduled-prompt>$/s.exec(block.text) ?? [];
		if (scheduled !== undefined) return [`Scheduled: ${scheduled}`];
		if (!block.text.startsWith("<task-notification>")) return [];
		const [, summary] = /<summary>([^<]*)<\/summary>/.exec(block.text) ?? [];
		return summary === undefined ? [] : [summary];
	});
}
