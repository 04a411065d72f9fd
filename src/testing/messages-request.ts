// The parts of a Messages API request that the fake server looks at.

export interface MessagesRequestBody {
	readonly model: string;
	readonly max_tokens: number;
	readonly stream?: boolean;
	readonly system?: string | readonly RequestBlock[];
	readonly tools?: readonly RequestTool[];
	readonly tool_choice?: { readonly type: string };
	readonly messages: readonly RequestMessage[];
}

export interface RequestTool {
	readonly name: string;
	readonly cache_control?: unknown;
}

export interface RequestMessage {
	readonly role: string;
	readonly content: string | readonly RequestBlock[];
}

export interface RequestBlock {
	readonly type: string;
	readonly text?: string;
	readonly id?: string;
	readonly name?: string;
	readonly input?: unknown;
	readonly tool_use_id?: string;
	readonly content?: unknown;
	readonly cache_control?: unknown;
}

/** The blocks of a message, whichever way it was written. */
export function blocksOf(content: string | readonly RequestBlock[]): readonly RequestBlock[] {
	return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** All text of the given content. */
export function textOf(content: string | readonly RequestBlock[] | undefined): string {
	return blocksOf(content ?? "")
		.map((block) => block.text ?? (typeof block.content === "string" ? block.content : ""))
		.join("\n");
}
