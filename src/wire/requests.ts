// What an agent thread may ask the main thread, and what it gets back. One table: method → params schema
// and result type. Rooms on main register a handler per method; an unregistered method is refused.

import * as z from "zod";
import type { KeptWorktree, RunReason, RunStatus } from "./run.ts";

/** The answer to "may this call run?". */
export type AuthorizeResult =
	| { readonly decision: "allow"; readonly updatedInput?: unknown }
	| { readonly decision: "deny"; readonly message: string };

/** Globs relative to a folder, in gitignore syntax: deny rules hide what they match. */
export interface HiddenPaths {
	readonly globs: readonly string[];
	readonly ignoreCase: boolean;
}

/** What user hooks said about one event, already merged. */
export interface HooksResult {
	readonly blocked?: string;
	/** JSON of the rewritten tool input (PreToolUse) or output (PostToolUse). */
	readonly replaced?: unknown;
	readonly context?: string;
	/** A hook's own permission decision for PreToolUse; deny rules still win over `allow`. */
	readonly permission?: "allow" | "ask";
	readonly stop?: string;
}

export interface SpawnResult {
	readonly runId: string;
	/** For a foreground run: how it ended. */
	readonly ended?: {
		readonly status: RunStatus;
		readonly reason: RunReason;
		readonly finalText: string;
		readonly error?: string;
		readonly worktree?: KeptWorktree;
	};
}

export interface QueryRunResult {
	readonly status: RunStatus;
	readonly finalText?: string;
	readonly error?: string;
	readonly worktree?: KeptWorktree;
}

export const requestParamsSchemas = {
	"authorize-call": z.object({
		toolUseId: z.string(),
		toolName: z.string(),
		input: z.unknown(),
		/** A hook's decision, if one was made. */
		hookDecision: z.enum(["allow", "ask"]).optional(),
	}),
	/** The tools that need no question under the rules in force now. */
	"list-free-tools": z.object({}),
	/** What a search that starts in this folder must leave out. */
	"hidden-paths": z.object({ folder: z.string() }),
	"run-hooks": z.object({ event: z.string(), payload: z.record(z.string(), z.unknown()) }),
	"spawn-run": z.object({
		description: z.string(),
		prompt: z.string(),
		agentType: z.string().optional(),
		model: z.string().optional(),
		name: z.string().optional(),
		background: z.boolean(),
		isolation: z.string().optional(),
		toolUseId: z.string(),
	}),
	"query-run": z.object({ runId: z.string(), waitMs: z.number().nonnegative(), toolUseId: z.string() }),
	"call-host-tool": z.object({ toolName: z.string(), toolUseId: z.string(), input: z.unknown() }),
	/** A person is asked; the agent's clocks stand still until the answer. */
	"ask-user": z.object({ question: z.string(), options: z.array(z.string()).optional(), toolUseId: z.string() }),
	/** A request of a feature room that has its own table; `name` is the tool's. */
	"room-call": z.object({ room: z.string(), name: z.string(), input: z.unknown(), toolUseId: z.string() }),
} as const;

export type AgentRequestMethod = keyof typeof requestParamsSchemas;
export type RequestParams<M extends AgentRequestMethod> = z.infer<(typeof requestParamsSchemas)[M]>;

export interface RequestResults {
	"authorize-call": AuthorizeResult;
	"list-free-tools": { readonly names: readonly string[]; readonly version: number };
	"hidden-paths": HiddenPaths;
	"run-hooks": HooksResult;
	"spawn-run": SpawnResult;
	"query-run": QueryRunResult;
	"call-host-tool": { readonly content: string; readonly isError?: boolean };
	"ask-user": { readonly answer: string } | { readonly unavailable: string };
	"room-call": { readonly content: string; readonly isError?: boolean };
}

/** Asks main one thing. Rejects with the ClowderError that main answered, or when the signal aborts. */
export type AskMain = <M extends AgentRequestMethod>(
	method: M,
	params: RequestParams<M>,
	signal?: AbortSignal,
) => Promise<RequestResults[M]>;
