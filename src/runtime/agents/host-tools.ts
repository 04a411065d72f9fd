// Tools of the embedding program that run on main by call-back, because a closure cannot cross a thread.

import { readOutput } from "../../agent/result-text.ts";
import { ClowderError, messageOf } from "../../errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import { type Tool, type ToolContext, ToolError } from "../../tools/definition.ts";
import { formatInputErrors } from "../../tools/input-errors.ts";
import { toolSpecOf } from "../../tools/tool-spec.ts";
import type { ToolSpec } from "../../wire/conversation.ts";
import type { RequestParams, RequestResults } from "../../wire/requests.ts";
import type { RunFolder } from "./isolation.ts";

/** What a host tool gets besides its input: no workspace and no processes, for it is not in the agent's thread. */
export type HostToolContext = Pick<ToolContext, "toolUseId" | "agent" | "cwd" | "signal" | "clock">;

export interface HostTools {
	readonly specs: readonly ToolSpec[];
	readonly list: readonly { readonly name: string; readonly readOnly: boolean }[];
	call(
		run: LiveRun,
		request: RequestParams<"call-host-tool">,
		signal: AbortSignal,
	): Promise<RequestResults["call-host-tool"]>;
}

/** @throws ERR_BAD_INPUT for a schema that cannot be told to a model */
export async function createHostTools(
	tools: readonly Tool[],
	folderOf: (run: LiveRun) => RunFolder,
	clock: Clock,
): Promise<HostTools> {
	const byName = new Map(tools.map((tool) => [tool.name, tool]));
	return {
		specs: await Promise.all(tools.map((tool) => toolSpecOf(tool))),
		list: tools.map(({ name, readOnly }) => ({ name, readOnly })),
		call: async (run, { toolName, toolUseId, input }, signal) => {
			const tool = byName.get(toolName);
			if (!tool) throw new ClowderError("ERR_UNKNOWN_TOOL", `No host tool is called '${toolName}'`);
			const context: HostToolContext = {
				toolUseId,
				agent: { runId: run.spec.id, name: run.spec.name, type: run.spec.agentType },
				cwd: folderOf(run).cwd,
				signal,
				clock,
			};
			try {
				const parsed = tool.inputSchema.safeParse(input);
				if (!parsed.success) return { content: formatInputErrors(parsed.error.issues, input), isError: true };
				return readOutput(toolName, await tool.execute(parsed.data, context as ToolContext));
			} catch (thrown) {
				const text = thrown instanceof ToolError ? thrown.message : `Error: ${messageOf(thrown)}`;
				return { content: text, isError: true };
			}
		},
	};
}
