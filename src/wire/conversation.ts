// The blocks a conversation is made of, as the Messages API names them
// (https://docs.anthropic.com/en/api/messages). Types only: no thread pays for loading this file.

export interface TextBlock {
	readonly type: "text";
	readonly text: string;
}
export interface ThinkingBlock {
	readonly type: "thinking";
	readonly thinking: string;
	readonly signature: string;
}
export interface RedactedThinkingBlock {
	readonly type: "redacted_thinking";
	readonly data: string;
}
export interface ToolUseBlock {
	readonly type: "tool_use";
	readonly id: string;
	readonly name: string;
	readonly input: unknown;
}
export interface ToolResultBlock {
	readonly type: "tool_result";
	readonly tool_use_id: string;
	readonly content: string | readonly TextBlock[];
	readonly is_error?: boolean;
}

export type AssistantBlock = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock;
export type UserBlock = TextBlock | ToolResultBlock;

export interface AssistantMessage {
	readonly role: "assistant";
	readonly content: readonly AssistantBlock[];
}
export interface UserMessage {
	readonly role: "user";
	readonly content: readonly UserBlock[];
}
export type Message = AssistantMessage | UserMessage;

/** Token counts as the provider reported them. */
export interface Usage {
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cacheReadTokens: number;
	readonly cacheWriteTokens: number;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
	return {
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
		cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
	};
}

/** What a tool tells the model about itself; `input_schema` is JSON Schema. */
export interface ToolSpec {
	readonly name: string;
	readonly description: string;
	readonly input_schema: Readonly<Record<string, unknown>>;
}
