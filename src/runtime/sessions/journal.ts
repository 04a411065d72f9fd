// Where what agents say becomes durable: one transcript file per conversation, opened at its first line.
// A lead's and a teammate's conversation is written before anything goes on; a subagent's, which nobody resumes, is
// gathered and written about once a second, and wholly before its end is announced.

import type { Clock, TimerHandle } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { LoadedTranscript, Transcript } from "../../store/transcripts.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import { addressOf } from "../rooms/mail.ts";

export interface Journal {
	/** Resolves when it is durable, or gathered with other lines of a subagent. */
	append(
		run: LiveRun,
		messagesJson: readonly string[],
		acknowledged: readonly string[],
		replaces: boolean,
	): Promise<void>;
	/** A conversation so far; empty when it has no transcript. */
	load(conversation: string): Promise<LoadedTranscript>;
	/** Puts an empty history in the place of a conversation; `dropped` envelopes count as read. */
	empty(conversation: string, dropped: readonly string[]): Promise<void>;
	path(conversation: string): string;
	/** Writes what was gathered and closes the file. */
	close(run: LiveRun): Promise<void>;
	closeAll(): Promise<void>;
}

/** Longest time that lines of a subagent are gathered, in ms, and most of them. */
const GATHER_MS = 1_000;
const GATHER_LINES = 200;

interface Gathered {
	readonly lines: string[];
	readonly timer: TimerHandle;
}

export function createJournal(
	store: Store,
	sessionId: string,
	clock: Clock,
	onWarning: (text: string) => void,
): Journal {
	const open = new Map<string, Promise<Transcript>>();
	const gathered = new Map<string, Gathered>();
	const path = (conversation: string) => store.transcriptPath(sessionId, conversation);

	function transcript(conversation: string): Promise<Transcript> {
		const known = open.get(conversation) ?? store.openTranscript(path(conversation));
		open.set(conversation, known);
		return known;
	}

	function gather(conversation: string, lines: readonly string[]): void {
		const flushLater = () =>
			flush(conversation).catch((thrown: unknown) => onWarning(`A transcript was not saved: ${String(thrown)}`));
		const waiting = gathered.get(conversation) ?? { lines: [], timer: clock.after(GATHER_MS, flushLater) };
		gathered.set(conversation, waiting);
		waiting.lines.push(...lines);
		if (waiting.lines.length >= GATHER_LINES) void flushLater();
	}

	async function flush(conversation: string): Promise<void> {
		const waiting = gathered.get(conversation);
		if (!waiting) return;
		gathered.delete(conversation);
		waiting.timer.cancel();
		await (await transcript(conversation)).append(waiting.lines);
	}

	async function close(conversation: string, toDisk: boolean): Promise<void> {
		await flush(conversation);
		const known = open.get(conversation);
		open.delete(conversation);
		await (await known)?.close({ flush: toDisk });
	}

	return {
		append: async (run, messagesJson, acknowledged, replaces) => {
			const conversation = addressOf(run);
			if (run.spec.kind === "subagent" && acknowledged.length === 0 && !replaces) {
				return gather(conversation, messagesJson);
			}
			await flush(conversation);
			const file = await transcript(conversation);
			if (replaces) await file.replaceAll(messagesJson, acknowledged);
			else await file.append(messagesJson, acknowledged);
		},
		load: async (conversation) => (await transcript(conversation)).load(),
		empty: async (conversation, dropped) => (await transcript(conversation)).replaceAll([], dropped),
		path,
		close: (run) => close(addressOf(run), run.spec.kind !== "subagent"),
		closeAll: async () => {
			await Promise.allSettled([...new Set([...open.keys(), ...gathered.keys()])].map((each) => close(each, true)));
		},
	};
}
