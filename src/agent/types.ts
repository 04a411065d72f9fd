// What the agent loop needs from outside. The loop is thread-free: it runs in any test with these
// passed in, and runtime/ passes the real ones inside an agent thread.

import type { HookManager } from "../hooks/hook-manager.ts";
import type { Clock } from "../lib/clock.ts";
import type { ToolContext } from "../tools/definition.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { AgentEvent } from "../wire/control.ts";
import type { Envelope } from "../wire/envelope.ts";
import type { CallModel, ModelReply } from "../wire/model-call.ts";
import type { AuthorizeResult } from "../wire/requests.ts";
import type { RunLimits } from "../wire/run.ts";
import type { AgentState } from "./agent-state.ts";
import type { Conversation } from "./conversation.ts";

export type { CallModel } from "../wire/model-call.ts";

/** What the loop writes where main can read it without a message. */
export interface AgentMeter {
	phase(phase: "idle" | "model" | "tool" | "waiting-person" | "waiting-child"): void;
	touch(): void;
	turn(): void;
	toolCall(): void;
	reply(reply: ModelReply): void;
}

/** What has come in from outside since the last turn boundary. */
export interface Inbox {
	/** Takes everything that waits; the caller commits it before it does anything else. */
	take(): Envelope[];
}

export interface AgentIdentity {
	readonly runId: string;
	/** Decides which stop hook fires, what an empty reply means, and whether caps count per prompt or per life. */
	readonly kind: "subagent" | "lead" | "teammate";
	readonly name: string;
	readonly agentType: string;
	readonly row: number;
	readonly epoch: number;
}

export interface AgentDeps {
	readonly identity: AgentIdentity;
	readonly clock: Clock;
	readonly conversation: Conversation;
	/** Built once per agent with `createAgentState(init.turnsBefore)`. */
	readonly state: AgentState;
	readonly tools: ToolRegistry;
	readonly hooks: HookManager;
	readonly callModel: CallModel;
	/** Asks the permission engine; the loop never decides by itself. */
	readonly authorize: (
		call: {
			readonly toolUseId: string;
			readonly toolName: string;
			readonly input: unknown;
		},
		hookDecision: "allow" | "ask" | undefined,
		signal: AbortSignal,
	) => Promise<AuthorizeResult>;
	/** Builds the context of one call. */
	readonly toolContext: (toolUseId: string, signal: AbortSignal) => ToolContext;
	readonly inbox: Inbox;
	readonly meter: AgentMeter;
	readonly emit: (event: AgentEvent) => void;
	/** Whether anybody hears what is emitted; else what only tells of progress need not be made. @default always */
	readonly isHeard?: () => boolean;
	/** Text blocks to add after tool results, e.g. the todo reminder; called once per turn boundary. */
	readonly reminders: () => string[];
	readonly system: string;
	readonly toolsJson: string;
	readonly model: string;
	readonly maxTokens: number;
	/** Most output tokens the model may be asked for after a reply was cut off. @default 64_000 */
	readonly maxTokensCeiling?: number;
	/** Tokens the model's window holds. */
	readonly contextWindow: number;
	/** Caps: a subagent's count over all its prompts, those of a lead or teammate from each prompt's start. */
	readonly limits: RunLimits;
	readonly deltas: boolean;
	/** Existing folder for tool results too large for the history. */
	readonly outputDir: string;
	/** JSON Schema the final text must satisfy as JSON; one retry with the errors. */
	readonly outputSchemaJson?: string;
}
