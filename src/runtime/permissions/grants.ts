// What an agent's thread may ask of main on behalf of a tool. A tool module can ask anything that the agent's own tools
// ask; so main holds every such request against the tools it gave the agent and the calls it allowed itself.

import { ClowderError } from "../../errors.ts";
import { isRecord } from "../../lib/is-record.ts";
import { QUERY_TASK_NAME } from "../../subagents/query-task-tool.ts";
import { TASK_NAME } from "../../subagents/task-tool.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { AgentRequestMethod, AuthorizeResult, RequestParams } from "../../wire/requests.ts";

export interface GrantTerms {
	/** Tools that the agent was given. */
	readonly toolNames: readonly string[];
	/** Those about which it need not ask first. */
	freeTools(): readonly string[];
}

export interface Grants {
	/** Main has answered whether a call may run. */
	note(run: LiveRun, call: RequestParams<"authorize-call">, answer: AuthorizeResult): void;
	/** @throws ERR_UNKNOWN_TOOL, ERR_PERMISSION_DENIED for a request that no call of the agent's stands behind. */
	check(run: LiveRun, terms: GrantTerms, method: AgentRequestMethod, params: unknown): void;
}

interface Asked {
	readonly tool: string;
	/** The call it belongs to; a question that changes nothing names none. */
	readonly toolUseId?: string;
	/** What bash starts in the background. */
	readonly command?: unknown;
}

interface Allowed {
	readonly tool: string;
	readonly command: unknown;
}

/** Calls of one run that are remembered; far more than run at once. */
const MAX_KEPT = 1_000;

export function createGrants(): Grants {
	const byRun = new WeakMap<LiveRun, Map<string, Allowed>>();
	return {
		note: (run, { toolUseId, toolName, input }, answer) => {
			if (answer.decision !== "allow") return;
			const allowed = byRun.get(run) ?? new Map<string, Allowed>();
			byRun.set(run, allowed);
			const [oldest] = allowed.keys();
			if (allowed.size >= MAX_KEPT && oldest !== undefined) allowed.delete(oldest);
			allowed.set(toolUseId, { tool: toolName, command: commandOf(answer.updatedInput ?? input) });
		},
		check: (run, { toolNames, freeTools }, method, params) => {
			const asked = toolBehind(method, params);
			if (asked === undefined) return;
			const { tool, toolUseId, command } = asked;
			const details = { method, tool };
			if (!toolNames.includes(tool)) {
				throw new ClowderError("ERR_UNKNOWN_TOOL", `This agent was not given the tool '${tool}'`, { details });
			}
			if (toolUseId === undefined || freeTools().includes(tool)) return;
			const allowed = byRun.get(run)?.get(toolUseId);
			if (allowed?.tool === tool && (command === undefined || command === allowed.command)) return;
			throw new ClowderError("ERR_PERMISSION_DENIED", `No call of '${tool}' was allowed for this`, { details });
		},
	};
}

function toolBehind(method: AgentRequestMethod, params: unknown): Asked | undefined {
	switch (method) {
		case "spawn-run":
			return { tool: TASK_NAME, toolUseId: (params as RequestParams<"spawn-run">).toolUseId };
		case "query-run":
			return { tool: QUERY_TASK_NAME };
		case "ask-user":
			return { tool: "ask_user" };
		case "call-host-tool": {
			const { toolName, toolUseId } = params as RequestParams<"call-host-tool">;
			return { tool: toolName, toolUseId };
		}
		case "room-call": {
			const { name, input, toolUseId } = params as RequestParams<"room-call">;
			// How bash starts a command in the background.
			if (name === "start_job") return { tool: "bash", toolUseId, command: commandOf(input) ?? "" };
			return { tool: name, toolUseId };
		}
		default:
			return undefined;
	}
}

const commandOf = (input: unknown): unknown => (isRecord(input) ? input.command : undefined);
