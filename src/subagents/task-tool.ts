// `task`: hands a piece of work to a subagent in a thread of its own. Runs in the asking agent's thread;
// the dispatch itself (dispatch.ts) is main's.

import * as z from "zod/mini";
import type { Tool, ToolOutput } from "../tools/definition.ts";
import type { RequestParams, SpawnResult } from "../wire/requests.ts";
import { withWorktree } from "./worktree-line.ts";

export const TASK_NAME = "task";

const required = (name: string) =>
	z.string({ error: `${name} is required` }).check(z.minLength(1, `${name} is required`));

export const taskInputSchema = z.object({
	description: required("description"),
	prompt: required("prompt"),
	agent_type: z.optional(z.string()),
	model: z.optional(z.string()),
	name: z.optional(z.string()),
	run_in_background: z._default(z.boolean(), true),
	isolation: z.optional(z.string()),
});
type TaskInput = z.infer<typeof taskInputSchema>;

/** What the model reads about `task`; the agent types differ per project. */
export function describeTaskTool(
	agentTypes: readonly { readonly name: string; readonly description: string }[],
): string {
	return [
		"Hands a self-contained piece of work to a subagent. It starts with your prompt alone and sees nothing of this conversation, works in a thread of its own, and only its final text comes back.",
		"In the background (the default) the answer is the task's id at once; you are told when it ends, so there is no need to poll. With run_in_background false the call waits and returns the final text. Several calls in one message run at the same time.",
		'With isolation "worktree" it works in a copy of the repository of its own, made from the last commit, on a new branch. The copy is removed if nothing was changed in it; else it stays, and you are told where.',
		"Agent types:",
		...agentTypes.map(({ name, description }) => `- ${name}: ${description}`),
	].join("\n");
}

export const taskTool: Tool<TaskInput> = {
	name: TASK_NAME,
	description: "Hands a piece of work to a subagent",
	inputSchema: taskInputSchema,
	readOnly: false,
	concurrent: true,
	summarize: (input) => input.description,
	async execute(input, context) {
		return describeSpawn(await context.ask("spawn-run", spawnRequest(input, context.toolUseId), context.signal));
	},
};

/** What follows from the tool's input. */
export function spawnRequest(input: TaskInput, toolUseId: string): RequestParams<"spawn-run"> {
	return {
		description: input.description,
		prompt: input.prompt,
		background: input.run_in_background,
		toolUseId,
		...(input.agent_type === undefined ? {} : { agentType: input.agent_type }),
		...(input.model === undefined ? {} : { model: input.model }),
		...(input.name === undefined ? {} : { name: input.name }),
		...(input.isolation === undefined ? {} : { isolation: input.isolation }),
	};
}

function describeSpawn({ runId, ended }: SpawnResult): ToolOutput {
	if (!ended) return `Task dispatched: ${runId}\nUse query_task to check status.`;
	if (ended.status === "COMPLETED") return withWorktree(ended.finalText, ended.worktree);
	const partial = ended.finalText === "" ? "" : `\n\nWhat it had so far:\n${ended.finalText}`;
	const text = `Error: task ${runId} failed (${ended.reason}): ${ended.error ?? ""}${partial}`;
	return { content: withWorktree(text, ended.worktree), isError: true };
}
