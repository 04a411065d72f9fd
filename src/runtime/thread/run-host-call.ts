// A tool that runs for the person, beside the conversation: with the agent's own folder, processes and read files, so
// that what was put before the agent counts as read by it.

import { executeCall } from "../../agent/execute-call.ts";
import type { ResultText } from "../../agent/result-text.ts";
import type { AgentDeps } from "../../agent/types.ts";
import { BUILTIN_TOOLS } from "../../tools/builtin/index.ts";
import { formatInputErrors } from "../../tools/input-errors.ts";
import type { HostCall } from "../../wire/control.ts";

/** Never rejects: what goes wrong is an error result. */
export async function runHostCall(deps: AgentDeps, call: HostCall, signal: AbortSignal): Promise<ResultText> {
	const { toolUseId, toolName, input } = call;
	const tool = await BUILTIN_TOOLS[toolName]();
	const parsed = tool.inputSchema.safeParse(input);
	if (!parsed.success) return { content: formatInputErrors(parsed.error.issues, input), isError: true };
	const use = { type: "tool_use", id: toolUseId, name: toolName, input } as const;
	return executeCall(deps, { call: use, tool, input: parsed.data }, signal);
}
