// The rules a history must keep so that the Messages API takes it: what breaks them, and the nearest history
// that does not. The one place that knows them; loading, committing, compaction and the tests all ask here.
// Source: https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use#handling-tool-use-and-tool-result-content-blocks

import type { AssistantMessage, Message, ToolResultBlock, UserMessage } from "../wire/conversation.ts";
import { isText, isToolResult, isToolUse, textBlock } from "./blocks.ts";
import { isBlank } from "./well-formed.ts";

export type HistoryRule =
	| "first-is-user"
	| "roles-alternate"
	| "content-is-not-empty"
	| "text-is-not-blank"
	| "call-ids-are-unique"
	| "calls-are-answered-at-once"
	| "results-have-calls"
	| "one-result-per-call"
	| "results-come-first"
	| "results-in-order";

export interface HistoryFault {
	/** Position of the message that breaks the rule. */
	readonly index: number;
	readonly rule: HistoryRule;
	readonly detail: string;
}

/** What the model reads in the place of a result that never came. */
export const INTERRUPTED_RESULT =
	"Error: the call was interrupted before it finished; what it did until then is unknown";

const LOST_START = "(The beginning of this conversation was lost.)";

/**
 * Every rule that `messages` breaks; empty for a history the API takes.
 *
 * `callsMayBeOpen` allows calls without results at the very end: the state while tools run.
 */
export function findHistoryFaults(
	messages: readonly Message[],
	{ callsMayBeOpen = false }: { readonly callsMayBeOpen?: boolean } = {},
): HistoryFault[] {
	const check = new HistoryCheck();
	const faults = check.add(messages);
	if (check.openCalls.length > 0 && !callsMayBeOpen) {
		const detail = `No results for ${check.openCalls.join(", ")}`;
		faults.push({ index: messages.length - 1, rule: "calls-are-answered-at-once", detail });
	}
	return faults;
}

/** The rules applied to a history that grows: what was looked at once is not looked at again. */
export class HistoryCheck {
	readonly #callIds = new Set<string>();
	#openCalls: readonly string[] = [];
	#lastRole: Message["role"] | undefined;
	#length = 0;

	/** Calls of the last message; their results are still to come. */
	get openCalls(): readonly string[] {
		return this.#openCalls;
	}

	/** Takes the next messages, sound or not, and names the rules they break; calls at the end may be open. */
	add(messages: readonly Message[]): HistoryFault[] {
		const faults: HistoryFault[] = [];
		for (const message of messages) {
			const index = this.#length;
			this.#addOne(message, (rule, detail) => void faults.push({ index, rule, detail }));
			this.#lastRole = message.role;
			this.#length += 1;
		}
		return faults;
	}

	#addOne(message: Message, report: Report): void {
		const open = this.#openCalls;
		if (this.#length === 0 && message.role !== "user") report("first-is-user", "The first message is not the user's");
		if (this.#lastRole === message.role) report("roles-alternate", `Two ${message.role} messages in a row`);
		checkTexts(message, report);
		if (message.role === "user") {
			checkResults(message, open, report);
			this.#openCalls = [];
			return;
		}
		if (open.length > 0) report("calls-are-answered-at-once", `No results for ${open.join(", ")}`);
		this.#openCalls = callIds(message);
		for (const id of this.#openCalls) {
			if (this.#callIds.has(id)) report("call-ids-are-unique", `Id ${id} is used twice`);
			this.#callIds.add(id);
		}
	}
}

type Report = (rule: HistoryRule, detail: string) => void;

function checkTexts(message: Message, report: Report): void {
	if (message.content.length === 0) report("content-is-not-empty", "The message has no content");
	for (const block of message.content) {
		const texts = isToolResult(block) && typeof block.content !== "string" ? block.content : [block];
		if (texts.some((text) => isText(text) && isBlank(text.text))) report("text-is-not-blank", "A text block is blank");
	}
}

function checkResults(message: UserMessage, open: readonly string[], report: Report): void {
	const answered = resultIds(message);
	for (const [position, id] of answered.entries()) {
		if (!open.includes(id)) report("results-have-calls", `Result for ${id}, which the message before did not call`);
		else if (answered.indexOf(id) !== position) report("one-result-per-call", `Two results for ${id}`);
	}
	const missing = open.filter((id) => !answered.includes(id));
	if (missing.length > 0) report("calls-are-answered-at-once", `No results for ${missing.join(", ")}`);
	const firstOther = message.content.findIndex((block) => !isToolResult(block));
	if (firstOther >= 0 && message.content.slice(firstOther).some(isToolResult)) {
		report("results-come-first", "A result stands behind other content");
	}
	const expected = open.filter((id) => answered.includes(id));
	const actual = [...new Set(answered.filter((id) => open.includes(id)))];
	if (expected.join() !== actual.join()) report("results-in-order", `Results in the order ${actual.join(", ")}`);
}

/**
 * The nearest history without faults. A valid history comes back with the very same message objects.
 *
 * Calls that have no result get one that says they were interrupted, so a call is never run again unasked;
 * results without a call and second uses of an id are dropped, and neighbours of one role become one message.
 */
export function repairHistory(messages: readonly Message[]): Message[] {
	const repaired: Message[] = [];
	for (const message of joinNeighbours(messages)) {
		if (message.role === "assistant") {
			if (repaired.length === 0) repaired.push({ role: "user", content: [textBlock(LOST_START)] });
			appendMessage(repaired, message);
			continue;
		}
		const answered = withResultsFor(message, openCalls(repaired));
		if (answered.content.length > 0) appendMessage(repaired, answered);
	}
	const open = openCalls(repaired);
	if (open.length > 0) repaired.push({ role: "user", content: open.map(interruptedResult) });
	return repaired;
}

/** Adds a message at the end; one of the same role as the last becomes part of it, results first. */
export function appendMessage(messages: Message[], message: Message): void {
	const last = messages.at(-1);
	if (last?.role !== message.role) messages.push(message);
	else messages[messages.length - 1] = mergeMessages(last, message);
}

/** Two neighbours of one role as one message. */
export function mergeMessages(first: Message, second: Message): Message {
	if (first.role === "assistant") {
		return { role: "assistant", content: [...first.content, ...(second as AssistantMessage).content] };
	}
	const blocks = [...first.content, ...(second as UserMessage).content];
	return { role: "user", content: [...blocks.filter(isToolResult), ...blocks.filter((block) => !isToolResult(block))] };
}

/** An error result for a call that has no other. */
function interruptedResult(toolUseId: string): ToolResultBlock {
	return { type: "tool_result", tool_use_id: toolUseId, content: INTERRUPTED_RESULT, is_error: true };
}

function joinNeighbours(messages: readonly Message[]): Message[] {
	const known = new Set<string>();
	const joined: Message[] = [];
	for (const message of messages) {
		const cleaned = withoutUnusable(message, known);
		if (cleaned.content.length > 0) appendMessage(joined, cleaned);
	}
	return joined;
}

// Drops blank text and calls whose id was used before.
function withoutUnusable(message: Message, known: Set<string>): Message {
	const usable = (block: Message["content"][number]): boolean => {
		if (isText(block)) return !isBlank(block.text);
		if (!isToolUse(block)) return true;
		if (known.has(block.id)) return false;
		known.add(block.id);
		return true;
	};
	const content = message.content.filter(usable).map(withoutBlankResultText);
	const same = content.length === message.content.length && content.every((block, at) => block === message.content[at]);
	return same ? message : ({ role: message.role, content } as Message);
}

function withoutBlankResultText<Block extends Message["content"][number]>(block: Block): Block {
	if (!isToolResult(block) || typeof block.content === "string") return block;
	const content = block.content.filter((text) => !isText(text) || !isBlank(text.text));
	return content.length === block.content.length ? block : { ...block, content: content.length > 0 ? content : "" };
}

function withResultsFor(message: UserMessage, open: readonly string[]): UserMessage {
	const answered = resultIds(message);
	const others = message.content.filter((block) => !isToolResult(block));
	const resultsStandFirst = message.content.slice(0, answered.length).every(isToolResult);
	if (resultsStandFirst && answered.length === open.length && open.every((id, at) => answered[at] === id)) {
		return message;
	}
	const results = message.content.filter(isToolResult);
	const inOrder = open.map((id) => results.find((result) => result.tool_use_id === id) ?? interruptedResult(id));
	return { role: "user", content: [...inOrder, ...others] };
}

function openCalls(messages: readonly Message[]): string[] {
	const last = messages.at(-1);
	return last?.role === "assistant" ? callIds(last) : [];
}

function callIds(message: AssistantMessage): string[] {
	return message.content.filter(isToolUse).map((block) => block.id);
}

function resultIds(message: UserMessage): string[] {
	return message.content.filter(isToolResult).map((block) => block.tool_use_id);
}
