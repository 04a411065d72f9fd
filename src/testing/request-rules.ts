// What the Messages API refuses with a 400. Written against its documentation and not against this program's
// own invariants: a mistake there must not hide here.

import { readGiven } from "../lib/read-given.ts";
import { checkRuleOptions } from "./check-input.ts";
import { blocksOf, type MessagesRequestBody, type RequestBlock, type RequestMessage } from "./messages-request.ts";

export interface RuleOptions {
	/** Also the rules about roles, empty content and the pairing of tool calls. */
	readonly checkPairing: boolean;
}

const NAME = /^[A-Za-z0-9_-]{1,128}$/;
const MAX_BREAKPOINTS = 4;

/**
 * The first fault of a request body, in the API's manner; undefined when it would be accepted.
 *
 * @throws ERR_BAD_INPUT for options that are none
 */
export function findRequestFault(body: unknown, options: RuleOptions): string | undefined {
	checkRuleOptions(options);
	return readGiven("findRequestFault", () => faultOf(body, options));
}

function faultOf(body: unknown, { checkPairing }: RuleOptions): string | undefined {
	if (typeof body !== "object" || body === null) return "The request body is not valid JSON";
	const request = body as MessagesRequestBody;
	if (typeof request.model !== "string") return "model: Field required";
	if (request.max_tokens === undefined) return "max_tokens: Field required";
	if (!Number.isInteger(request.max_tokens) || request.max_tokens < 1) {
		return "max_tokens: Input should be greater than or equal to 1";
	}
	if (!Array.isArray(request.messages)) return "messages: Field required";
	const faults = [toolsFault(request), breakpointFault(request)];
	if (checkPairing) faults.push(contentFault(request.messages), conversationFault(request.messages));
	return faults.find((fault) => fault !== undefined);
}

function toolsFault({ tools, tool_choice }: MessagesRequestBody): string | undefined {
	if (tool_choice && !tools?.length) return "tool_choice: may only be specified while providing tools";
	const names = (tools ?? []).map((tool) => tool.name);
	const bad = names.findIndex((name) => !NAME.test(name));
	if (bad >= 0) return `tools.${bad}.custom.name: String should match pattern '${NAME.source}'`;
	return new Set(names).size < names.length ? "tools: Tool names must be unique." : undefined;
}

function breakpointFault({ system, tools, messages }: MessagesRequestBody): string | undefined {
	const blocks = [...blocksOf(system ?? []), ...(tools ?? []), ...messages.flatMap(({ content }) => blocksOf(content))];
	const marked = blocks.filter((block) => block.cache_control).length;
	if (marked <= MAX_BREAKPOINTS) return undefined;
	return `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${marked}.`;
}

function contentFault(messages: readonly RequestMessage[]): string | undefined {
	for (const [at, { role, content }] of messages.entries()) {
		if (role !== "user" && role !== "assistant") return `messages.${at}.role: Input should be 'user' or 'assistant'`;
		if (content.length === 0) return `messages.${at}: all messages must have non-empty content`;
		for (const [position, block] of blocksOf(content).entries()) {
			const fault = blockFault(block, role);
			if (fault) return `messages.${at}.content.${position}: ${fault}`;
		}
	}
	return undefined;
}

function blockFault(block: RequestBlock, role: string): string | undefined {
	switch (block.type) {
		case "text":
			return block.text?.trim() ? undefined : "text content blocks must be non-empty";
		case "tool_use":
			if (role !== "assistant") return "`tool_use` blocks can only be in `assistant` messages";
			if (!NAME.test(block.name ?? "")) return `tool_use.name: String should match pattern '${NAME.source}'`;
			return isDictionary(block.input) ? undefined : "tool_use.input: Input should be a valid dictionary";
		case "tool_result":
			if (role !== "user") return "`tool_result` blocks can only be in `user` messages";
			return emptyTextIn(block.content) ? "text content blocks must be non-empty" : undefined;
		default:
			return undefined;
	}
}

function emptyTextIn(content: unknown): boolean {
	return Array.isArray(content) && content.some((block: RequestBlock) => block.type === "text" && !block.text?.trim());
}

function conversationFault(messages: readonly RequestMessage[]): string | undefined {
	const turns = mergeRoles(messages);
	if (turns.length === 0) return "messages: at least one message is required";
	if (turns[0]?.role !== "user") return 'messages: first message must use the "user" role';
	const seen = new Set<string>();
	for (const [at, turn] of turns.entries()) {
		for (const id of idsOfUses(turn)) {
			if (seen.has(id)) return `messages.${at}: \`tool_use\` ids must be unique. Found ${id} twice.`;
			seen.add(id);
		}
		const fault = missingFault(at, turn, turns[at + 1]) ?? orphanFault(at, turn, turns[at - 1]);
		if (fault) return fault;
	}
	return undefined;
}

interface Turn {
	readonly role: string;
	readonly blocks: RequestBlock[];
}

// The API joins neighbours of one role before it looks at the order.
function mergeRoles(messages: readonly RequestMessage[]): Turn[] {
	const turns: Turn[] = [];
	for (const { role, content } of messages) {
		const last = turns.at(-1);
		if (last?.role === role) last.blocks.push(...blocksOf(content));
		else turns.push({ role, blocks: [...blocksOf(content)] });
	}
	return turns;
}

// Only results at the head of the next turn count: text before them hides them.
function missingFault(at: number, turn: Turn, next: Turn | undefined): string | undefined {
	const firstOther = next?.blocks.findIndex((block) => block.type !== "tool_result") ?? 0;
	const head = firstOther < 0 ? next?.blocks : next?.blocks.slice(0, firstOther);
	const answered = new Set((head ?? []).map((block) => block.tool_use_id));
	const missing = idsOfUses(turn).filter((id) => !answered.has(id));
	if (missing.length === 0) return undefined;
	return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function orphanFault(at: number, turn: Turn, before: Turn | undefined): string | undefined {
	const asked = new Set(before ? idsOfUses(before) : []);
	for (const [position, block] of turn.blocks.entries()) {
		if (block.type !== "tool_result") continue;
		const id = block.tool_use_id ?? "";
		if (asked.delete(id)) continue;
		const isRepeated = before !== undefined && idsOfUses(before).includes(id);
		return isRepeated
			? `messages.${at}.content.${position}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
			: `messages.${at}.content.${position}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
	}
	return undefined;
}

function idsOfUses(turn: Turn): string[] {
	return turn.blocks.flatMap((block) => (block.type === "tool_use" ? (block.id ?? "") : []));
}

function isDictionary(value: unknown): boolean {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
