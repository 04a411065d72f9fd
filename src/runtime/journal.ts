// Where what agents say becomes durable: one transcript file per conversation, opened at its first line.

import type { Store } from "../store/store.ts";
import type { LoadedTranscript, Transcript } from "../store/transcripts.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import { addressOf } from "./mail.ts";

export interface Journal {
	append(
		run: LiveRun,
		messagesJson: readonly string[],
		acknowledged: readonly string[],
		replaces: boolean,
	): Promise<void>;
	/** A conversation so far; empty when it has no transcript. */
	load(conversation: string): Promise<LoadedTranscript>;
	/** Puts an empty history in the place of a conversation. */
	empty(conversation: string): Promise<void>;
	path(conversation: string): string;
	close(run: LiveRun): Promise<void>;
	closeAll(): Promise<void>;
}

export function createJournal(store: Store, sessionId: string): Journal {
	const open = new Map<string, Promise<Transcript>>();
	const path = (conversation: string) => store.transcriptPath(sessionId, conversation);

	function transcript(conversation: string): Promise<Transcript> {
		const known = open.get(conversation) ?? store.openTranscript(path(conversation));
		open.set(conversation, known);
		return known;
	}

	async function close(conversation: string): Promise<void> {
		const known = open.get(conversation);
		open.delete(conversation);
		await (await known)?.close();
	}

	return {
		append: async (run, messagesJson, acknowledged, replaces) => {
			const file = await transcript(addressOf(run));
			if (replaces) await file.replaceAll(messagesJson, acknowledged);
			else await file.append(messagesJson, acknowledged);
		},
		load: async (conversation) => (await transcript(conversation)).load(),
		empty: async (conversation) => (await transcript(conversation)).replaceAll([]),
		path,
		close: (run) => close(addressOf(run)),
		closeAll: async () => {
			await Promise.allSettled([...open.keys()].map(close));
		},
	};
}
