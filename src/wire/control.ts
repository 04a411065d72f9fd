// Messages on a control port: one MessageChannel between the main thread and one agent thread.
// The agent side is not trusted (a tool module can post anything): main validates every message.

import type { MessagePort } from "node:worker_threads";
import * as z from "zod";
import type { Envelope } from "./envelope.ts";
import type { ErrorData } from "./error-data.ts";
import { MAX_LOG_CHARS, MAX_REPORTS } from "./report-limits.ts";
import type { AgentRequestMethod } from "./requests.ts";
import { type RunLimits, type RunOutcome, runOutcomeSchema } from "./run.ts";

/** Everything an agent thread needs to build one agent. Crosses once, when a run or session starts. */
export interface AgentInit {
	readonly runId: string;
	readonly sessionId: string;
	readonly kind: "subagent" | "lead" | "teammate";
	readonly name: string;
	readonly agentType: string;
	readonly depth: number;
	/** The working folder: absolute, without symlinks, as are the next and `outputDir`. */
	readonly cwd: string;
	/** Folders besides `cwd` that the agent may touch. */
	readonly additionalDirectories: readonly string[];
	/** The environment of the agent's child processes; holds no provider credentials. */
	readonly env: Readonly<Record<string, string>>;
	readonly system: string;
	/** Names of built-in tools, in the order of `toolsJson`. */
	readonly toolNames: readonly string[];
	readonly freeTools: FreeTools;
	/** JSON array of ToolSpec for the built-in and host tools, made once per agent type on main. */
	readonly toolsJson: string;
	/** Tool modules to load inside the thread: absolute paths or file URLs. */
	readonly toolModules: readonly string[];
	/** Tools that run on main by call-back. */
	readonly hostTools: readonly { readonly name: string; readonly readOnly: boolean }[];
	/** Where bash is limited to commands that change nothing. */
	readonly readOnly: boolean;
	readonly model: string;
	readonly maxTokens: number;
	readonly contextWindow: number;
	readonly limits: RunLimits;
	/** Messages that are already in the conversation, one JSON text each. */
	readonly history: readonly string[];
	/** Model calls made before, so that turn numbers go on after a resume. */
	readonly turnsBefore: number;
	readonly outputSchemaJson?: string;
	/** Hook events that main must be asked about (user hooks exist for them). */
	readonly hookEvents: readonly string[];
	/** What the hooks of a beginning session say to the agent. */
	readonly startContext?: string;
	/** Sends assistant text as it arrives. */
	readonly deltas: boolean;
	/** Sends its events from the start; else from `send-events` on, because nobody listens yet. */
	readonly sendsEvents: boolean;
	/** Sends a log line per tool call and result. */
	readonly verbose: boolean;
	/** Folder for tool output too long for the history. */
	readonly outputDir: string;
	readonly board: { readonly buffer: SharedArrayBuffer; readonly row: number; readonly epoch: number };
	readonly processes: SharedArrayBuffer;
	readonly heartbeatMs: number;
}

/** Tools about which the permission engine need not be asked: under the rules of this version it allows every call. */
export interface FreeTools {
	readonly names: readonly string[];
	readonly version: number;
	/** One Int32: the version of the rules in force. When it has moved on, the names hold no longer. */
	readonly counter: SharedArrayBuffer;
}

/** A call of a built-in tool that no model made: what a person typed names a file or a command. */
export interface HostCall {
	readonly callId: number;
	readonly toolUseId: string;
	readonly toolName: "bash" | "read_file";
	readonly input: object;
}

// main → agent
export type AgentCommand =
	/** Without `text` the agent is woken to read its mail. */
	| {
			readonly type: "start-prompt";
			readonly promptId: string;
			readonly text?: string;
			/** Instead of a prompt: shorten the conversation, keeping what is about this. */
			readonly compactFocus?: string;
			/** The model it asks for from now on, and the tokens its window holds. */
			readonly useModel?: { readonly model: string; readonly contextWindow: number };
	  }
	/** Stops the current prompt; the conversation stays valid and the agent stays alive. */
	| { readonly type: "interrupt-prompt"; readonly reason: string }
	/** Stops for good. */
	| { readonly type: "cancel-run"; readonly reason: string }
	/** Somebody listens to the agent's events now. */
	| { readonly type: "send-events" }
	/** A connection to the gateway, in place of the one that the thread has lost or never had. */
	| { readonly type: "use-model-port"; readonly port: MessagePort }
	/** There is no gateway, and none will come. */
	| { readonly type: "no-model-port"; readonly error: ErrorData }
	/** Runs a tool for the person, outside of the conversation; main has decided that it may. */
	| { readonly type: "run-tool"; readonly call: HostCall }
	| { readonly type: "cancel-tool"; readonly callId: number }
	| { readonly type: "settle-request"; readonly requestId: number; readonly value: unknown }
	| { readonly type: "fail-request"; readonly requestId: number; readonly error: ErrorData }
	| { readonly type: "deliver-envelopes"; readonly envelopes: readonly Envelope[] }
	/** The run is over and recorded: the agent's function returns and the thread is free. */
	| { readonly type: "release-thread" };

/** What people may want to watch while an agent works. */
export const agentEventSchema = z.discriminatedUnion("type", [
	z.object({ type: z.literal("turn-started"), turn: z.number() }),
	z.object({ type: z.literal("text-delta"), text: z.string() }),
	/** Deltas since the turn started are void: the stream is being tried again. */
	z.object({ type: z.literal("text-reset"), detail: z.string() }),
	z.object({
		type: z.literal("tool-started"),
		toolUseId: z.string(),
		name: z.string(),
		/** A few words on what the call does, e.g. the command. */
		summary: z.string(),
	}),
	z.object({
		type: z.literal("tool-finished"),
		toolUseId: z.string(),
		name: z.string(),
		isError: z.boolean(),
		/** The first characters of the result, at most 400. */
		preview: z.string(),
		durationMs: z.number(),
	}),
	/** A line for the person, e.g. from a display hook or a warning. */
	z.object({ type: z.literal("notice"), text: z.string() }),
	z.object({
		type: z.literal("log"),
		level: z.enum(["debug", "info", "warn", "error"]),
		text: z.string().max(MAX_LOG_CHARS + 1),
	}),
]);
export type AgentEvent = z.infer<typeof agentEventSchema>;

// agent → main, several to a message: what an agent has to say in one round of its event loop crosses at once
export type AgentReport =
	| RunReport
	/** The thread has no connection to the gateway. */
	| { readonly type: "need-model-port" };

/** What is about the run; the rest is between threads. */
export type RunReport =
	| { readonly type: "agent-ready"; readonly threadId: number }
	| {
			readonly type: "request";
			readonly requestId: number;
			readonly method: AgentRequestMethod;
			readonly params: unknown;
	  }
	/** Nobody waits for the answer any longer: what main does for it stops. */
	| { readonly type: "cancel-request"; readonly requestId: number }
	/** Messages now in the conversation, and the envelopes they made part of it. */
	| {
			readonly type: "history-committed";
			readonly messagesJson: readonly string[];
			readonly acknowledged: readonly string[];
			/** The conversation was rewritten (compaction): `messagesJson` replaces all before. */
			readonly replaces?: boolean;
	  }
	| { readonly type: "tool-ran"; readonly callId: number; readonly content: string; readonly isError: boolean }
	| { readonly type: "agent-event"; readonly event: AgentEvent }
	| { readonly type: "prompt-finished"; readonly promptId: string; readonly outcome: RunOutcome };

const agentReportSchema: z.ZodType<AgentReport> = z.discriminatedUnion("type", [
	z.object({ type: z.literal("agent-ready"), threadId: z.number().int() }),
	z.object({ type: z.literal("need-model-port") }),
	z.object({
		type: z.literal("request"),
		requestId: z.number().int(),
		method: z.string(),
		params: z.unknown(),
	}),
	z.object({ type: z.literal("cancel-request"), requestId: z.number().int() }),
	z.object({
		type: z.literal("history-committed"),
		messagesJson: z.array(z.string()),
		acknowledged: z.array(z.string()),
		replaces: z.boolean().optional(),
	}),
	z.object({ type: z.literal("tool-ran"), callId: z.number().int(), content: z.string(), isError: z.boolean() }),
	z.object({ type: z.literal("agent-event"), event: agentEventSchema }),
	z.object({ type: z.literal("prompt-finished"), promptId: z.string(), outcome: runOutcomeSchema }),
]) as unknown as z.ZodType<AgentReport>;

export const agentReportsSchema: z.ZodType<readonly AgentReport[]> = z.array(agentReportSchema).max(MAX_REPORTS);
