// What the model is told about the schedule tools. Main thread only.

import { toolSpecOf } from "../tools/tool-spec.ts";
import type { ToolSpec } from "../wire/conversation.ts";
import { cronTools } from "./cron-tools.ts";

export function cronToolSpecs(): Promise<ToolSpec[]> {
	// The fields read leniently are still asked for strictly.
	return Promise.all(cronTools.map((tool) => toolSpecOf(tool, "output")));
}
