// What an agent type is, wherever it comes from: built in, the host program, `--agents`, or a Markdown file.
// Types only; subagents/ has the built-in ones, agent-files.ts reads the others.

import type { HooksConfig } from "../hooks/hook-config.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { RunLimits } from "../wire/run.ts";

/** Where a definition was found; a nearer one of the same name wins. */
export interface AgentSource {
	/** `flag` is `--agents`; `host` is the embedding program. */
	readonly kind: "built-in" | "host" | "flag" | "project" | "user";
	/** The file, absolute; absent for definitions that have none. */
	readonly path?: string;
}

/** One agent type: everything a run of it starts from. */
export interface AgentDefinition {
	/** Its identity: what `agent_type` names. */
	readonly name: string;
	/** When to use it; the model that delegates reads this. */
	readonly description: string;
	/** The system prompt. */
	readonly prompt: string;
	/**
	 * Tools as written: our names or Claude Code's, `Bash(git *)`, `Agent(a, b)`, `mcp__server__*`.
	 * Absent = all; empty = none. `resolveTools` turns it into names and restrictions.
	 */
	readonly tools?: readonly string[];
	/** Taken away again, in the same notation. */
	readonly disallowedTools?: readonly string[];
	/** `sonnet`, `opus`, `haiku`, `inherit` or a full model id; absent = the parent's. */
	readonly model?: string;
	readonly permissionMode?: PermissionMode;
	/** Caps of one run; `maxTurns` of a file is `turns`. */
	readonly limits?: RunLimits;
	/** Limits `bash` to commands that change nothing, and refuses every writing tool. @default false */
	readonly readOnly?: boolean;
	/** Whether instruction files (CLAUDE.md, AGENTS.md) are part of its prompt. @default true */
	readonly instructions?: boolean;
	/** Skills whose whole text it starts with. */
	readonly skills?: readonly string[];
	/** Names of configured MCP servers, or servers of its own, as written. */
	readonly mcpServers?: readonly (string | Readonly<Record<string, unknown>>)[];
	/** Hooks that run for this agent only. */
	readonly hooks?: HooksConfig;
	/** Runs in the background unless the call says otherwise. */
	readonly background?: boolean;
	readonly effort?: string;
	readonly isolation?: "worktree";
	readonly color?: string;
	/** First user message when the agent is started without a prompt of its own. */
	readonly initialPrompt?: string;
	readonly memory?: "user" | "project" | "local";
	/** Fields that mean nothing here, kept as they were read. */
	readonly extra?: Readonly<Record<string, unknown>>;
	readonly source: AgentSource;
}
