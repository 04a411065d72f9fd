// A question to a person about one call, the answers there are, and the record of a call that did not run.

import type { PermissionCall } from "./call.ts";

export interface PermissionPrompt {
	readonly requestId: string;
	readonly agent: { readonly runId: string; readonly name: string; readonly type: string };
	readonly toolUseId: string;
	readonly toolName: string;
	readonly input: unknown;
	readonly cwd: string;
	/** Why it is asked. */
	readonly message: string;
	/** Rules that "conversation" and "always" would make; empty where no rule can cover the call. */
	readonly suggestions: readonly string[];
	/** Milliseconds since the Unix epoch. */
	readonly askedAt: number;
}

export type PermissionAnswer =
	| "once"
	| "conversation"
	| "always"
	| { readonly deny: true /** What the agent is told. */; readonly message?: string };

/** What an answer must be, for a message about one that is none. */
export const ANSWERS = '"once", "conversation", "always", or { deny: true, message?: text }';

export function isPermissionAnswer(value: unknown): value is PermissionAnswer {
	if (typeof value === "string") return ["once", "conversation", "always"].includes(value);
	if (typeof value !== "object" || value === null) return false;
	const { deny, message } = value as { readonly deny?: unknown; readonly message?: unknown };
	return deny === true && (message === undefined || typeof message === "string");
}

/** How a prompt came off the list without an answer of its own. */
export type PromptEnd = "answered" | "covered" | "withdrawn" | "timeout";

/** One call that did not run, in the shape of Claude Code's `permission_denials` and a little more. */
export interface PermissionDenial {
	readonly tool_name: string;
	readonly tool_use_id: string;
	readonly tool_input: unknown;
	readonly agent: string;
	/** `policy`: a rule, a mode, or the list of refused commands. `nobody`: there was nobody to ask. */
	readonly reason: "policy" | "person" | "nobody" | "timeout";
	readonly message: string;
}

export function promptFor(
	requestId: string,
	call: PermissionCall,
	asked: { readonly message: string; readonly suggestions: readonly string[] },
	askedAt: number,
): PermissionPrompt {
	const { runId, name, type } = call.agent;
	return {
		requestId,
		agent: { runId, name, type },
		toolUseId: call.toolUseId,
		toolName: call.toolName,
		input: call.input,
		cwd: call.cwd,
		message: asked.message,
		suggestions: asked.suggestions,
		askedAt,
	};
}

/** Who asks, for a line on the screen: `scout (explore)`. */
export function labelOf(prompt: PermissionPrompt): string {
	const { name, type } = prompt.agent;
	return name === type ? name : `${name} (${type})`;
}
