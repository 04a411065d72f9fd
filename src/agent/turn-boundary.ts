// The moment before a model call: everything that has come in becomes one user message, committed in one step
// with the ids of the envelopes in it. Nothing is ever put between a call and its result.

import type { TextBlock, UserBlock } from "../wire/conversation.ts";
import type { Envelope } from "../wire/envelope.ts";
import { isAddedText, systemNote } from "./added-text.ts";
import { textBlock } from "./blocks.ts";
import { type Cap, wrapUpNote } from "./caps.ts";
import { readMail } from "./read-mail.ts";
import type { AgentDeps } from "./types.ts";
import { isBlank } from "./well-formed.ts";

/** What the next user message begins with. */
export interface Opening {
	readonly blocks: readonly UserBlock[];
	/** Mail that was taken already. */
	readonly mail?: readonly Envelope[];
}

/**
 * Commits the next user message.
 *
 * **Ordering**: tool results or the prompt, then text of hooks, mail, reminders, and the note of a cap.
 */
export function commitBoundary(deps: AgentDeps, opening: Opening, cap: Cap | undefined): Promise<void> {
	const mail = [...(opening.mail ?? []), ...deps.inbox.take()];
	const after = [...reminders(deps), ...(cap ? [textBlock(wrapUpNote(cap))] : [])];
	return commitUserMessage(deps, { ...opening, mail }, after);
}

/** Commits what there is as one user message, and nothing if there is nothing. */
export async function commitUserMessage(
	deps: AgentDeps,
	{ blocks, mail = [] }: Opening,
	after: readonly TextBlock[],
): Promise<void> {
	const content = [...blocks, ...(mail.length > 0 ? await readMail(deps, mail) : []), ...after];
	if (content.length === 0) return;
	const pending = deps.state.pendingTexts.splice(0).map(textBlock);
	deps.conversation.commit(
		[{ role: "user", content: [...content, ...pending] }],
		mail.map((envelope) => envelope.id),
	);
}

function reminders(deps: AgentDeps): TextBlock[] {
	return deps
		.reminders()
		.filter((text) => !isBlank(text))
		.map((text) => textBlock(isAddedText(text) ? text : systemNote(text)));
}
