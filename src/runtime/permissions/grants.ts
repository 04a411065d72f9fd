// What an agent's thread may ask of main on behalf of a tool. A tool module can ask anything that the agent's own tools
// ask; so main holds every such request against the tools it gave the agent and the calls it allowed itself. What it
// then acts on is the input that was allowed, never what the thread says later; one call allows one request.

import { ClowderError } from "../../errors.ts";
import { QUERY_TASK_NAME, queryRequest, queryTaskInputSchema } from "../../subagents/query-task-tool.ts";
import { spawnRequest, TASK_NAME, taskInputSchema } from "../../subagents/task-tool.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import { ASK_USER_NAME, askUserInputSchema, questionRequest } from "../../tools/builtin/ask-user.ts";
import { BASH_NAME, bashInputSchema, jobRequest } from "../../tools/builtin/bash-input.ts";
import type { InputSchema } from "../../tools/definition.ts";
import { formatInputErrors } from "../../tools/input-errors.ts";
import type { AgentRequestMethod, AuthorizeResult, RequestParams } from "../../wire/requests.ts";

export interface GrantTerms {
	/** Tools that the agent was given. */
	readonly toolNames: readonly string[];
	/** Those of them that need no permission under the rules in force. */
	freeTools(): readonly string[];
}

export interface Grants {
	/** Main has answered whether a call may run. */
	note(run: LiveRun, call: RequestParams<"authorize-call">, answer: AuthorizeResult): void;
	/**
	 * What main is to act on. Uses up the call that stands behind the request.
	 *
	 * @throws ERR_UNKNOWN_TOOL, ERR_PERMISSION_DENIED for a request that no call of the agent's stands behind.
	 */
	settle(run: LiveRun, terms: GrantTerms, method: AgentRequestMethod, params: unknown): unknown;
}

/** A request that a tool makes, and what it is made of. */
interface Asked {
	readonly tool: string;
	readonly toolUseId: string;
	/** The request as it follows from the tool's input. */
	from(input: unknown): unknown;
}

interface Allowed {
	readonly tool: string;
	readonly input: unknown;
}

/** Calls of one run that are remembered; far more than run at once. */
const MAX_KEPT = 1_000;

export interface GrantParts {
	/** Whether the program runs the tool itself; it may be called as a built-in one is. */
	isHostTool(name: string): boolean;
	/** Whether a room on main answers the tool's calls. */
	isRoomTool(name: string): boolean;
}

export function createGrants({ isHostTool, isRoomTool }: GrantParts): Grants {
	const byRun = new WeakMap<LiveRun, Map<string, Allowed>>();

	function take(run: LiveRun, { tool, toolUseId }: Asked): Allowed | undefined {
		const allowed = byRun.get(run);
		const found = allowed?.get(toolUseId);
		if (found?.tool !== tool) return undefined;
		allowed?.delete(toolUseId);
		return found;
	}

	return {
		note: (run, { toolUseId, toolName, input: asked }, answer) => {
			if (answer.decision !== "allow") return;
			const input = answer.updatedInput ?? asked;
			// Of all other calls nothing is asked of main, and their inputs can be large.
			if (!isHostTool(toolName) && !isRoomTool(toolName) && !asksMain(toolName, input)) return;
			const allowed = byRun.get(run) ?? new Map<string, Allowed>();
			byRun.set(run, allowed);
			const [oldest] = allowed.keys();
			if (allowed.size >= MAX_KEPT && oldest !== undefined) allowed.delete(oldest);
			allowed.set(toolUseId, { tool: toolName, input });
		},
		settle: (run, { toolNames, freeTools }, method, params) => {
			const asked = toolBehind(method, params);
			if (asked === undefined) return params;
			const { tool } = asked;
			const details = { method, tool };
			if (!toolNames.includes(tool) || isHostTool(tool) !== (method === "call-host-tool")) {
				throw new ClowderError("ERR_UNKNOWN_TOOL", `This agent was not given the tool '${tool}'`, { details });
			}
			const allowed = take(run, asked);
			if (allowed) return asked.from(allowed.input);
			if (freeTools().includes(tool)) return params;
			throw new ClowderError("ERR_PERMISSION_DENIED", `No call of '${tool}' was allowed for this`, { details });
		},
	};
}

function toolBehind(method: AgentRequestMethod, params: unknown): Asked | undefined {
	switch (method) {
		case "spawn-run": {
			const { toolUseId } = params as RequestParams<"spawn-run">;
			const from = (input: unknown) => spawnRequest(read(taskInputSchema, input), toolUseId);
			return { tool: TASK_NAME, toolUseId, from };
		}
		case "query-run": {
			const { toolUseId } = params as RequestParams<"query-run">;
			const from = (input: unknown) => queryRequest(read(queryTaskInputSchema, input), toolUseId);
			return { tool: QUERY_TASK_NAME, toolUseId, from };
		}
		case "ask-user": {
			const { toolUseId } = params as RequestParams<"ask-user">;
			const from = (input: unknown) => questionRequest(read(askUserInputSchema, input), toolUseId);
			return { tool: ASK_USER_NAME, toolUseId, from };
		}
		case "call-host-tool": {
			const { toolName, toolUseId } = params as RequestParams<"call-host-tool">;
			return { tool: toolName, toolUseId, from: (input) => ({ toolName, toolUseId, input }) };
		}
		case "room-call": {
			const call = params as RequestParams<"room-call">;
			const { name, toolUseId } = call;
			// How bash starts a command in the background.
			if (name === "start_job") {
				return { tool: BASH_NAME, toolUseId, from: (input) => jobRequest(read(bashInputSchema, input), toolUseId) };
			}
			return { tool: name, toolUseId, from: (input) => ({ ...call, input }) };
		}
		default:
			return undefined;
	}
}

function asksMain(toolName: string, input: unknown): boolean {
	if (toolName !== BASH_NAME) return [TASK_NAME, QUERY_TASK_NAME, ASK_USER_NAME].includes(toolName);
	const parsed = bashInputSchema.safeParse(input);
	return parsed.success && parsed.data.run_in_background === true;
}

function read<Input>(schema: InputSchema<Input>, input: unknown): Input {
	const parsed = schema.safeParse(input);
	if (parsed.success) return parsed.data;
	throw new ClowderError("ERR_BAD_INPUT", formatInputErrors(parsed.error.issues, input).replace(/^Error: /, ""));
}
