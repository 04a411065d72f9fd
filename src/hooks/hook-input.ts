// What a user hook reads on its stdin, with Claude Code's field names.

import { namesOfTool, toClaudeToolName } from "../lib/tool-aliases.ts";
import { toClaudeInput } from "./claude-inputs.ts";
import type { HookEventName } from "./events.ts";

/** What is the same for every event of a session. */
export interface HookSession {
	readonly sessionId: string;
	readonly transcriptPath: string;
}

/** Whom an event is about. */
export interface HookAgent {
	readonly cwd: string;
	readonly permissionMode: string;
	/** Set for subagents and teammates. */
	readonly agentId?: string;
	readonly agentType?: string;
	/** The agent's own transcript; absent = the session's. */
	readonly transcriptPath?: string;
}

/** An event's payload as it came over the wire: its fields are read one by one, and any may be missing. */
export type HookPayload = Readonly<Record<string, unknown>>;

/** The object that goes to stdin. */
export function buildHookInput(
	event: HookEventName,
	payload: HookPayload,
	agent: HookAgent,
	session: HookSession,
): Record<string, unknown> {
	return withoutAbsent({
		session_id: session.sessionId,
		transcript_path: agent.transcriptPath ?? session.transcriptPath,
		cwd: agent.cwd,
		permission_mode: agent.permissionMode,
		hook_event_name: event,
		agent_id: agent.agentId,
		agent_type: agent.agentType,
		...eventFields(event, payload, agent),
	});
}

/** What the event's matcher is held against; undefined where events of this kind have nothing to match. */
export function matchedNames(event: HookEventName, payload: HookPayload): readonly string[] | undefined {
	switch (event) {
		case "PreToolUse":
		case "PostToolUse":
			return namesOfTool(String(payload.toolName));
		case "SessionStart":
			return [String(payload.source)];
		case "SessionEnd":
			return [String(payload.reason)];
		case "PreCompact":
			return [String(payload.trigger)];
		case "SubagentStart":
		case "SubagentStop":
			return [String(payload.agentType)];
		case "Notification":
			return [String(payload.notificationType)];
		default:
			return undefined;
	}
}

function eventFields(event: HookEventName, payload: HookPayload, agent: HookAgent): Record<string, unknown> {
	switch (event) {
		case "PreToolUse":
			return toolFields(payload, agent);
		case "PostToolUse":
			return { ...toolFields(payload, agent), ...resultFields(payload, agent) };
		case "UserPromptSubmit":
			return { prompt: payload.prompt };
		case "Stop":
			return { stop_hook_active: payload.stopHookActive, last_assistant_message: payload.lastAssistantMessage };
		case "SubagentStart":
			return { agent_id: payload.runId, agent_type: payload.agentType, description: payload.description };
		case "SubagentStop":
			return {
				agent_id: payload.runId,
				agent_type: payload.agentType,
				stop_hook_active: payload.stopHookActive,
				last_assistant_message: payload.lastAssistantMessage,
			};
		case "PreCompact":
			return { trigger: payload.trigger, custom_instructions: payload.focus };
		case "SessionStart":
			return { source: payload.source };
		case "SessionEnd":
			return { reason: payload.reason };
		case "Notification":
			return { message: payload.message, notification_type: payload.notificationType };
		case "TeammateIdle":
			return { teammate_name: payload.teammateName };
		case "TaskCreated":
		case "TaskCompleted":
			return {
				task_id: payload.taskId,
				task_subject: payload.taskSubject,
				teammate_name: payload.teammateName,
			};
	}
}

function toolFields(payload: HookPayload, agent: HookAgent): Record<string, unknown> {
	const toolName = String(payload.toolName);
	return {
		tool_name: toClaudeToolName(toolName),
		tool_input: toClaudeInput(toolName, payload.input, agent.cwd),
		tool_use_id: payload.toolUseId,
	};
}

// Our results are text. Beside it stand the fields that hooks for Claude Code most often read.
function resultFields(payload: HookPayload, agent: HookAgent): Record<string, unknown> {
	const toolName = String(payload.toolName);
	const result = (payload.result ?? {}) as Readonly<Record<string, unknown>>;
	const input = toClaudeInput(toolName, payload.input, agent.cwd) as Readonly<Record<string, unknown>> | null;
	const isError = result.isError === true;
	const response: Record<string, unknown> = { content: result.content, success: !isError, is_error: isError };
	if (toolName === "bash") Object.assign(response, { stdout: result.content, stderr: "", interrupted: false });
	if (typeof input?.file_path === "string") response.filePath = input.file_path;
	return { tool_response: response, duration_ms: result.durationMs };
}

function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
