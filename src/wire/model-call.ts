// Messages on a model port: one MessageChannel between one agent thread and the gateway thread, for one agent at a time.
// Model traffic never passes the main thread. Everything large crosses as flat strings:
// a message is serialised once, when its agent commits it, and the same text goes to the
// transcript, to the gateway and into the request body.

import * as z from "zod";
import type { AssistantBlock, Usage } from "./conversation.ts";
import type { ErrorData } from "./error-data.ts";

/** Who makes a call: for scripts, accounting and budgets. Contains nothing secret. */
export interface ModelCaller {
	readonly runId: string;
	/** `lead`, a teammate's name, or a subagent's description. */
	readonly name: string;
	readonly agentType: string;
	/** 1 for the agent's first model call in its life, then 2, 3, …; a retry keeps its number. */
	readonly turn: number;
	/** Row and epoch on the status board, so that the gateway can charge the right ledger. */
	readonly row: number;
	readonly epoch: number;
}

/** What every call of an agent begins with. */
export interface ModelPrefix {
	readonly system: string;
	/** A JSON array of ToolSpec, byte-identical for every run of one agent type. */
	readonly toolsJson: string;
}

export interface ModelRequest extends ModelPrefix {
	readonly caller: ModelCaller;
	readonly model: string;
	/** One JSON text per message, oldest first. */
	readonly messagesJson: readonly string[];
	readonly maxTokens: number;
	/** Forbids tool use in this reply (the wrap-up turn after a cap). @default false */
	readonly toolFree?: boolean;
	/** Sends text as it arrives. @default false */
	readonly deltas?: boolean;
}

export type StopReason =
	| "end_turn"
	| "tool_use"
	| "max_tokens"
	| "stop_sequence"
	| "pause_turn"
	| "refusal"
	| "model_context_window_exceeded";

export interface ModelReply {
	readonly content: readonly AssistantBlock[];
	readonly stopReason: StopReason;
	readonly usage: Usage;
	/** The model that answered; differs from the request's after a fallback. */
	readonly model: string;
	/** Price of this call in US dollars; 0 when the model has no known price. */
	readonly costUsd: number;
	/** Time between the first byte sent and the last received, retries included, in ms. */
	readonly durationMs: number;
}

export interface ModelCallOptions {
	readonly signal: AbortSignal;
	readonly onDelta?: (text: string) => void;
	/** The stream is tried again; deltas so far are void. */
	readonly onRetry?: (detail: { readonly attempt: number; readonly delayMs: number; readonly message: string }) => void;
}

/** Calls a model. Rejects with a ClowderError whose code is an `ERR_MODEL_*`, ERR_PROMPT_TOO_LONG, ERR_BUDGET or ERR_ABORTED. */
export type CallModel = (request: ModelRequest, options: ModelCallOptions) => Promise<ModelReply>;

// agent → gateway
export type ModelCommand =
	/** What the calls after it begin with: it is long, seldom changes, and so does not cross with each. */
	| { readonly type: "use-prefix"; readonly prefix: ModelPrefix }
	| { readonly type: "start-call"; readonly callId: number; readonly request: Omit<ModelRequest, keyof ModelPrefix> }
	| { readonly type: "cancel-call"; readonly callId: number }
	/** Allows `credit` more deltas for this call; each call starts with INITIAL_CREDIT. */
	| { readonly type: "grant-credit"; readonly callId: number; readonly credit: number };

// gateway → agent
export type ModelEvent =
	| { readonly type: "call-delta"; readonly callId: number; readonly text: string }
	/**
	 * The stream broke and is being tried again: deltas so far are void. `attempt` is the coming one; 1 means that
	 * the first has to wait, because `error` met another call of the same account and model.
	 */
	| {
			readonly type: "call-retrying";
			readonly callId: number;
			readonly attempt: number;
			readonly delayMs: number;
			readonly error: ErrorData;
	  }
	| { readonly type: "call-finished"; readonly callId: number; readonly reply: ModelReply }
	| { readonly type: "call-failed"; readonly callId: number; readonly error: ErrorData };

/** Deltas a call may have on the way before the receiver grants more. */
export const INITIAL_CREDIT = 8;

const callId = z.number().int().nonnegative();

/** Checked by the gateway: an agent thread may run tools that write anything to its ports. */
export const modelCommandSchema: z.ZodType<ModelCommand> = z.discriminatedUnion("type", [
	z.object({ type: z.literal("use-prefix"), prefix: z.object({ system: z.string(), toolsJson: z.string() }) }),
	z.object({
		type: z.literal("start-call"),
		callId,
		request: z.object({
			caller: z.object({
				runId: z.string(),
				name: z.string(),
				agentType: z.string(),
				turn: z.number().int().positive(),
				row: z.number().int(),
				epoch: z.number().int(),
			}),
			model: z.string(),
			messagesJson: z.array(z.string()).min(1),
			maxTokens: z.number().int().positive(),
			toolFree: z.boolean().optional(),
			deltas: z.boolean().optional(),
		}),
	}),
	z.object({ type: z.literal("cancel-call"), callId }),
	z.object({ type: z.literal("grant-credit"), callId, credit: z.number().int().positive() }),
]) as z.ZodType<ModelCommand>;
