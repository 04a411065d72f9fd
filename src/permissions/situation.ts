// One call together with everything that bears on it.

import type { Decision, PermissionCall } from "./call.ts";
import type { PermissionMode } from "./modes.ts";
import type { PathContext } from "./paths/place.ts";
import { describeRule, type Rule } from "./rules/rule.ts";

export interface Situation {
	readonly call: PermissionCall;
	/** Our own name of the tool. */
	readonly toolName: string;
	readonly mode: PermissionMode;
	readonly deny: readonly Rule[];
	readonly ask: readonly Rule[];
	readonly allow: readonly Rule[];
	readonly context: PathContext;
	/** The workspace: the agent's folder and the added ones. */
	readonly folders: readonly string[];
	readonly isOwnState: boolean;
	/** A command that can only look inside the workspace needs no rule, as no read-only tool does. */
	readonly looksFreely: boolean;
	/** Where suggested path rules start. */
	readonly root: string;
}

/** Why a teammate may only look for now. */
export const PLAN_PENDING = "the plan is not approved yet (hand it in with submit_plan and wait for the answer): ";

export function allow(rule?: Rule): Decision {
	return rule === undefined ? { decision: "allow" } : { decision: "allow", rule: describeRule(rule) };
}

export function deny(message: string, rule?: Rule): Decision {
	return rule === undefined ? { decision: "deny", message } : { decision: "deny", message, rule: describeRule(rule) };
}

export function ask(message: string, suggestions: readonly string[] = []): Decision {
	return { decision: "ask", message, suggestions };
}
