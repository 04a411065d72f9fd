// Which tool stands behind what an agent asks of main. A tool module can ask anything that the agent's own tools ask,
// so what an agent was not given is refused here, whoever in its thread asks for it.

import { ClowderError } from "../errors.ts";
import { QUERY_TASK_NAME } from "../subagents/query-task-tool.ts";
import { TASK_NAME } from "../subagents/task-tool.ts";
import type { AgentRequestMethod, RequestParams } from "../wire/requests.ts";

/** `start_job` is how bash starts a command in the background. */
const CALLERS: Readonly<Record<string, string>> = { start_job: "bash" };

/** The tool that makes such a request; undefined for what every agent may ask. */
function toolBehind(method: AgentRequestMethod, params: unknown): string | undefined {
	switch (method) {
		case "spawn-run":
			return TASK_NAME;
		case "query-run":
			return QUERY_TASK_NAME;
		case "ask-user":
			return "ask_user";
		case "call-host-tool":
			return (params as RequestParams<"call-host-tool">).toolName;
		case "room-call": {
			const { name } = params as RequestParams<"room-call">;
			return Object.hasOwn(CALLERS, name) ? CALLERS[name] : name;
		}
		default:
			return undefined;
	}
}

/** @throws ERR_UNKNOWN_TOOL for a request of a tool that the agent does not have */
export function checkGranted(toolNames: readonly string[], method: AgentRequestMethod, params: unknown): void {
	const tool = toolBehind(method, params);
	if (tool === undefined || toolNames.includes(tool)) return;
	throw new ClowderError("ERR_UNKNOWN_TOOL", `This agent was not given the tool '${tool}'`, {
		details: { method, tool },
	});
}
