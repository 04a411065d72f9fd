// What the gateway thread is started with. This is the only wire shape that may hold a secret,
// and it goes to the gateway thread alone.

import type { AssistantBlock, Usage } from "./conversation.ts";
import type { StopReason } from "./model-call.ts";

export interface AnthropicConfig {
	readonly provider: "anthropic";
	readonly model: string;
	readonly fallbackModel?: string;
	readonly apiKey?: string;
	readonly authToken?: string;
	readonly baseUrl?: string;
	/** Longest silence inside a stream before it is tried again, in ms. @default 90_000 */
	readonly idleTimeoutMs?: number;
	/** Tries of one call, the first included. @default 5 */
	readonly maxAttempts?: number;
	/** Calls on the wire at once, for all agents together. @default 64 */
	readonly maxConnections?: number;
}

/** One played reply. Exactly what a model could do, including going wrong. */
export interface ScriptedReply {
	/** Text to say; becomes the first block. */
	readonly text?: string;
	/** Tool calls; ids are made from agent, turn and position when absent. */
	readonly toolUses?: readonly { readonly name: string; readonly input: unknown; readonly id?: string }[];
	/** Whole content instead of `text` and `toolUses`. */
	readonly content?: readonly AssistantBlock[];
	readonly stopReason?: StopReason;
	readonly usage?: Partial<Usage>;
	/** Waits before the first delta, in ms. */
	readonly delayMs?: number;
	/** Splits `text` into this many deltas. @default 1 */
	readonly deltas?: number;
	/** Fails the call as the provider would: an HTTP status and its headers. */
	readonly error?: { readonly status: number; readonly retryAfterMs?: number; readonly message?: string };
	/** Sends `deltas` pieces and then nothing for ever (`stall`), or ends the stream early (`cut`). */
	readonly fault?: "stall" | "cut";
}

/**
 * Replies by agent and turn. A key is matched against, in this order: the caller's run id, its name,
 * its agent type, then `*`. Reply n answers the agent's nth model call; past the end,
 * `afterEnd` decides.
 */
export interface Script {
	readonly agents: Readonly<Record<string, readonly ScriptedReply[]>>;
	/** `repeat` plays the last reply again; `fail` answers ERR_SCRIPT. @default "fail" */
	readonly afterEnd?: "repeat" | "fail";
}

export interface ScriptedConfig {
	readonly provider: "scripted";
	readonly model?: string;
	readonly script?: Script;
	/** A module, absolute path or file URL, loaded in the gateway thread: default export of type ScriptModule. */
	readonly module?: string;
	readonly idleTimeoutMs?: number;
	readonly maxAttempts?: number;
}

export interface OfflineConfig {
	readonly provider: "offline";
	/** Time each offline reply takes, in ms; makes runs overlap visibly. @default 0 */
	readonly delayMs?: number;
}

export type ModelConfig = AnthropicConfig | ScriptedConfig | OfflineConfig;
