// What the model is told about the subagent tools. Main thread only: agent threads get the result as text.

import * as z from "zod/mini";
import type { ToolSpec } from "../wire/conversation.ts";
import { queryTaskInputSchema, queryTaskTool } from "./query-task-tool.ts";
import { TASK_NAME, taskInputSchema } from "./task-tool.ts";

export function subagentToolSpecs(taskDescription: string): ToolSpec[] {
	return [
		{ name: TASK_NAME, description: taskDescription, input_schema: jsonSchema(taskInputSchema) },
		{
			name: queryTaskTool.name,
			description: queryTaskTool.description,
			input_schema: jsonSchema(queryTaskInputSchema),
		},
	];
}

function jsonSchema(schema: z.ZodMiniType): Record<string, unknown> {
	const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
	return rest;
}
