// One agent's history: the messages and, beside each, the one JSON text it is sent and stored as.
// Runs in the agent's thread. Each message is serialised once, when it is committed; the same text goes to
// the transcript (main), to the gateway and into the request body, so prompt caches stay warm.

import { ClowderError } from "../errors.ts";
import type { Message } from "../wire/conversation.ts";
import { appendMessage, findHistoryFaults, HistoryCheck, mergeMessages, repairHistory } from "./history-invariants.ts";
import { parseMessage } from "./parse-message.ts";
import { wellFormed } from "./well-formed.ts";

export interface Conversation {
	/** A new array after every change; one that was read stays as it was. */
	readonly messages: readonly Message[];
	readonly messagesJson: readonly string[];
	/**
	 * Appends messages in one step and tells main, together with the envelopes that are now part of them.
	 *
	 * A message of the same role as the last becomes part of it; main then gets the whole history anew.
	 * @throws ClowderError ERR_HISTORY when the result breaks a rule of the Messages API; nothing is changed then.
	 */
	commit(messages: readonly Message[], acknowledged: readonly string[]): void;
	/**
	 * Puts other messages in the place of all (compaction, `/clear`). Messages that stay keep their text.
	 *
	 * @throws ClowderError ERR_HISTORY as `commit` does.
	 */
	replaceAll(messages: readonly Message[]): void;
}

export interface ConversationOptions {
	/** Messages from before, one JSON text each; repaired where they break a rule. */
	readonly history: readonly string[];
	/** Called once per change. `replaces`: `messagesJson` is the whole history and takes the place of all before. */
	onCommit(messagesJson: readonly string[], acknowledged: readonly string[], replaces: boolean): void;
	/** Hears, in words, what of `history` could not be used. */
	onProblem?(detail: string): void;
}

interface Entry {
	readonly message: Message;
	readonly json: string;
}

/** Builds a conversation; `history` may come from a crash or another program. */
export function createConversation(options: ConversationOptions): Conversation {
	const loaded = loadHistory(options);
	let entries: readonly Entry[] = loaded.entries;
	let messages: readonly Message[] = entries.map((entry) => entry.message);
	let messagesJson: readonly string[] = entries.map((entry) => entry.json);
	// A repaired history is not what main has: the next change sends all of it.
	let isOutOfStep = loaded.repaired;
	/** Has seen `messages`, so that a commit pays for what it adds and not for the whole history. */
	let check = new HistoryCheck();
	check.add(messages);

	function change(next: readonly Entry[], firstNew: number, acknowledged: readonly string[]): void {
		const nextMessages = next.map((entry) => entry.message);
		const appends = firstNew === entries.length;
		const nextCheck = appends ? check : new HistoryCheck();
		const fault = nextCheck.add(appends ? nextMessages.slice(firstNew) : nextMessages)[0];
		if (fault) {
			check = new HistoryCheck();
			check.add(messages);
			const message = `Message ${fault.index + 1} of the conversation cannot be committed: ${fault.detail}`;
			throw new ClowderError("ERR_HISTORY", message, { details: { rule: fault.rule, index: fault.index } });
		}
		const replaces = isOutOfStep || !appends;
		check = nextCheck;
		entries = next;
		messages = nextMessages;
		messagesJson = next.map((entry) => entry.json);
		isOutOfStep = false;
		options.onCommit(replaces ? messagesJson : messagesJson.slice(firstNew), acknowledged, replaces);
	}

	return {
		get messages() {
			return messages;
		},
		get messagesJson() {
			return messagesJson;
		},
		commit(added, acknowledged) {
			const joined: Message[] = [];
			for (const message of added) appendMessage(joined, message);
			const [first, ...rest] = joined;
			if (!first) return change(entries, entries.length, acknowledged);
			const last = entries.at(-1);
			const joins = last?.message.role === first.role;
			const kept = joins ? entries.slice(0, -1) : entries;
			const head = joins ? mergeMessages(last.message, first) : first;
			change([...kept, serialise(head), ...rest.map(serialise)], kept.length, acknowledged);
		},
		replaceAll(replacement) {
			const texts = new Map(entries.map((entry) => [entry.message, entry]));
			change(
				replacement.map((message) => texts.get(message) ?? serialise(message)),
				0,
				[],
			);
		},
	};
}

function loadHistory({ history, onProblem }: ConversationOptions): { entries: Entry[]; repaired: boolean } {
	const texts = new Map<Message, string>();
	const parsed: Message[] = [];
	let repaired = false;
	for (const json of history) {
		const { message, problem } = parseMessage(json);
		if (problem) {
			repaired = true;
			onProblem?.(problem);
		}
		if (!message) continue;
		parsed.push(message);
		if (!problem) texts.set(message, json);
	}
	for (const fault of findHistoryFaults(parsed)) onProblem?.(`Message ${fault.index + 1}: ${fault.detail}`);
	const entries = repairHistory(parsed).map((message) => {
		const json = texts.get(message);
		if (json === undefined) repaired = true;
		return json === undefined ? serialise(message) : { message, json };
	});
	return { entries, repaired: repaired || entries.length !== parsed.length };
}

// JSON.stringify writes only halves of broken surrogate pairs as `\ud…`, so the second pass is rare.
function serialise(message: Message): Entry {
	const json = JSON.stringify(message);
	if (!json.includes("\\ud")) return { message, json };
	const fixed = JSON.parse(json, (_key, value) => (typeof value === "string" ? wellFormed(value) : value)) as Message;
	return { message: fixed, json: JSON.stringify(fixed) };
}
