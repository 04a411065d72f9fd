// `query_task`: how a subagent is doing. Never needed to learn of an end (a notification comes by itself).

import * as z from "zod/mini";
import type { Tool, ToolOutput } from "../tools/definition.ts";
import type { QueryRunResult, RequestParams } from "../wire/requests.ts";
import { withWorktree } from "./worktree-line.ts";

export const QUERY_TASK_NAME = "query_task";

/** Longest wait of one call, in seconds. */
const MAX_WAIT_SECONDS = 600;

export const queryTaskInputSchema = z.object({
	task_id: z.string({ error: "task_id is required" }).check(z.minLength(1, "task_id is required")),
	wait_seconds: z.optional(z.number().check(z.minimum(0), z.maximum(MAX_WAIT_SECONDS))),
});
type QueryTaskInput = z.infer<typeof queryTaskInputSchema>;

export const queryTaskTool: Tool<QueryTaskInput> = {
	name: QUERY_TASK_NAME,
	description:
		"Tells the status of a subagent, and its result once it has ended. You are told of every end by itself: use this only for something you need to know earlier. wait_seconds (up to 600) waits for the end that long.",
	inputSchema: queryTaskInputSchema,
	readOnly: true,
	summarize: (input) => input.task_id,
	async execute(input, context) {
		const result = await context.ask("query-run", queryRequest(input, context.toolUseId), context.signal);
		return describeQuery(input.task_id, result);
	},
};

/** What follows from the tool's input. */
export function queryRequest(input: QueryTaskInput, toolUseId: string): RequestParams<"query-run"> {
	return { runId: input.task_id, waitMs: (input.wait_seconds ?? 0) * 1000, toolUseId };
}

function describeQuery(id: string, run: QueryRunResult): ToolOutput {
	switch (run.status) {
		case "PENDING":
			return `Task ${id} is PENDING (not yet started).`;
		case "RUNNING":
			return `Task ${id} is RUNNING. Try again later.`;
		case "COMPLETED":
			return withWorktree(`Task ${id} COMPLETED.\n\nResult:\n${run.finalText ?? ""}`, run.worktree);
		case "FAILED":
			return {
				content: withWorktree(`Task ${id} FAILED.\n\nError:\n${run.error ?? "Unknown error"}`, run.worktree),
				isError: true,
			};
	}
}
