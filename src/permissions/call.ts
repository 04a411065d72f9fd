// One question to the engine and its answer.

import type { PermissionMode } from "./modes.ts";
import type { TreeCopy } from "./paths/tree-copy.ts";
import type { Rule } from "./rules/rule.ts";

export interface PermissionCall {
	readonly agent: {
		readonly runId: string;
		/** `lead`, a teammate's name, or a subagent's description. */
		readonly name: string;
		readonly type: string;
		/** The agent may change nothing (explore, plan). */
		readonly readOnly: boolean;
		/** Its plan is not approved yet: until then it may change nothing either. @default false */
		readonly planPending?: boolean;
	};
	readonly toolUseId: string;
	/** Our own name or Claude Code's. */
	readonly toolName: string;
	readonly input: unknown;
	/** What the agent's registry says of the tool; `unknown` where it has none of that name. */
	readonly toolReadOnly: boolean | "unknown";
	/** What a PreToolUse hook decided. Its `allow` beats no deny and no ask rule. */
	readonly hookDecision?: "allow" | "ask" | undefined;
	/** The agent's working folder, absolute. */
	readonly cwd: string;
	/** Set when that is in a copy of the session's working tree. */
	readonly copy?: TreeCopy | undefined;
	/** The agent's own mode. @default the engine's */
	readonly mode?: PermissionMode | undefined;
	/** Nobody may be asked about this call, e.g. in a turn that cron started. @default false */
	readonly unattended?: boolean | undefined;
	/** Allow rules for this call alone: those of the command file that makes it. They beat no deny and no ask rule. */
	readonly alsoAllow?: readonly Rule[] | undefined;
}

export type Decision =
	| { readonly decision: "allow" /** The rule that allowed it. */; readonly rule?: string }
	| { readonly decision: "deny"; readonly message: string; readonly rule?: string }
	| {
			readonly decision: "ask";
			/** Why it is asked, in a few words for a person. */
			readonly message: string;
			/** Rules that together would allow this call; empty when no rule can. */
			readonly suggestions: readonly string[];
	  };
