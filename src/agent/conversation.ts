// One agent's history: the messages and, beside each, the one JSON text it is sent and stored as.

import type { Message } from "../wire/conversation.ts";

export interface Conversation {
	readonly messages: readonly Message[];
	readonly messagesJson: readonly string[];
	/** Appends messages in one step and tells main, together with the envelopes that are now part of them. */
	commit(messages: readonly Message[], acknowledged: readonly string[]): void;
	/** Puts other messages in the place of all (compaction). */
	replaceAll(messages: readonly Message[]): void;
}
