// What the model is told about the job tools. Main thread only.

import { toolSpecOf } from "../tools/tool-spec.ts";
import type { ToolSpec } from "../wire/conversation.ts";
import { jobTools } from "./job-tools.ts";

export function jobToolSpecs(): Promise<ToolSpec[]> {
	// The fields read leniently are still asked for strictly.
	return Promise.all(jobTools.map((tool) => toolSpecOf(tool, "output")));
}
