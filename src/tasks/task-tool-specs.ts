// What the model is told about the task board's tools. Main thread only.

import { toolSpecOf } from "../tools/tool-spec.ts";
import type { ToolSpec } from "../wire/conversation.ts";
import { taskTools } from "./task-tools.ts";

/** In the order of `taskTools`. */
export function taskToolSpecs(): Promise<ToolSpec[]> {
	// The fields read leniently are still asked for strictly.
	return Promise.all(taskTools.map((tool) => toolSpecOf(tool, "output")));
}
