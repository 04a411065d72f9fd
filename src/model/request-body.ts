// The text of a Messages API request. History is never parsed or serialised again: the messages arrive as the
// JSON texts their agent committed, and only the last one is opened, to set its cache breakpoint.
// Three breakpoints: the last tool, the system text, the last block of the last message.
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching

import { ClowderError, messageOf } from "../errors.ts";
import type { ModelRequest } from "../wire/model-call.ts";

const EPHEMERAL = { type: "ephemeral" } as const;
// Agent types a program uses at once; each has one tool list.
const MAX_REMEMBERED_TOOL_LISTS = 64;
const CACHEABLE = new Set(["text", "tool_use", "tool_result", "image", "document"]);

interface Block {
	readonly type: string;
	readonly text?: string;
}

/**
 * Builds request bodies for streamed calls.
 *
 * **Contract**: everything before the last message is byte-identical from one call of a conversation to the next.
 */
export function createBodyBuilder(): (request: ModelRequest) => string {
	const toolLists = new Map<string, string>();

	function toolsWithBreakpoint(toolsJson: string): string {
		const known = toolLists.get(toolsJson);
		if (known !== undefined) return known;
		const built = markLastTool(toolsJson);
		if (toolLists.size >= MAX_REMEMBERED_TOOL_LISTS) toolLists.clear();
		toolLists.set(toolsJson, built);
		return built;
	}

	return (request) => {
		const tools = toolsWithBreakpoint(request.toolsJson);
		const fields = [
			`{"model":${JSON.stringify(request.model)}`,
			`"max_tokens":${request.maxTokens}`,
			'"stream":true',
			...(tools ? [`"tools":${tools}`] : []),
			// The tools stay in a tool-free call: without them the cached prefix would be another one.
			...(tools && request.toolFree ? ['"tool_choice":{"type":"none"}'] : []),
			...(request.system ? [`"system":${systemBlocks(request.system)}`] : []),
			`"messages":${messagesArray(request.messagesJson)}}`,
		];
		return fields.join(",");
	};
}

function systemBlocks(text: string): string {
	return JSON.stringify([{ type: "text", text, cache_control: EPHEMERAL }]);
}

function markLastTool(toolsJson: string): string {
	const tools = parse<object[]>(toolsJson, "The tool list");
	const last = tools.at(-1);
	if (!last) return "";
	return JSON.stringify([...tools.slice(0, -1), { ...last, cache_control: EPHEMERAL }]);
}

function messagesArray(messagesJson: readonly string[]): string {
	const last = messagesJson.at(-1);
	if (last === undefined) return "[]";
	return `[${[...messagesJson.slice(0, -1), markLastBlock(last)].join(",")}]`;
}

function markLastBlock(messageJson: string): string {
	const message = parse<{ content: string | Block[] }>(messageJson, "The last message");
	const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
	// Thinking and empty text cannot carry a breakpoint.
	const index = blocks.findLastIndex((block) => CACHEABLE.has(block.type) && block.text !== "");
	if (index < 0) return messageJson;
	return JSON.stringify({
		...message,
		content: blocks.map((block, at) => (at === index ? { ...block, cache_control: EPHEMERAL } : block)),
	});
}

function parse<T>(json: string, what: string): T {
	try {
		return JSON.parse(json) as T;
	} catch (cause) {
		throw new ClowderError("ERR_BAD_MESSAGE", `${what} of a model call is not JSON: ${messageOf(cause)}`, { cause });
	}
}
