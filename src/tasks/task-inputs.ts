// What the task board's tools take: one schema per tool, for the agent's thread and for main alike.

import * as z from "zod/mini";
import { optionalChoice, optionalText, optionalTexts, requiredText } from "../tools/input-fields.ts";

const taskId = () => requiredText("task_id", "Id of the task, e.g. t1");
const blockedBy = () => optionalTexts("blocked_by", "Ids of tasks that must be completed first");

export const taskInputSchemas = {
	create_task: z.object({
		title: requiredText("title", "What is to be done, in a few words"),
		description: optionalText("description", "Everything that whoever claims it needs to know"),
		blocked_by: blockedBy(),
		id: optionalText("id", "An id of your own that is free; the next t<number> if absent"),
	}),
	list_tasks: z.object({}),
	get_task: z.object({ task_id: taskId() }),
	update_task: z.object({
		task_id: taskId(),
		title: optionalText("title", "A new title"),
		description: optionalText("description", "A new description"),
		blocked_by: blockedBy(),
		status: optionalChoice(
			"status",
			"IN_PROGRESS claims the task, COMPLETED completes your own, PENDING gives your own back",
			["PENDING", "IN_PROGRESS", "COMPLETED"],
		),
	}),
	claim_task: z.object({ task_id: taskId() }),
	complete_task: z.object({
		task_id: taskId(),
		result: optionalText("result", "What came out of it, for those whose tasks waited for it"),
	}),
} as const;

export type TaskToolName = keyof typeof taskInputSchemas;
export type TaskInput<Name extends TaskToolName> = z.infer<(typeof taskInputSchemas)[Name]>;

export const TASK_TOOL_NAMES = Object.keys(taskInputSchemas) as TaskToolName[];
