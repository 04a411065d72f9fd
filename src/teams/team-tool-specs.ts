// What the model is told about the team tools. Main thread only.

import { toolSpecOf } from "../tools/tool-spec.ts";
import type { ToolSpec } from "../wire/conversation.ts";
import { teamTools } from "./team-tools.ts";

export function teamToolSpecs(): Promise<ToolSpec[]> {
	// The fields read leniently are still asked for strictly.
	return Promise.all(teamTools.map((tool) => toolSpecOf(tool, "output")));
}
