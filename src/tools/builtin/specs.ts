// What the model is told about the built-in tools. Main thread only: the JSON Schema comes from full zod, which no
// agent thread loads. Made once; the specs cross to the agents as text.

import type { ToolSpec } from "../../wire/conversation.ts";
import { toolSpecOf } from "../tool-spec.ts";
import { BUILTIN_TOOLS } from "./index.ts";

/** The specs of all built-in tools, in the order of BUILTIN_TOOLS. */
export function builtinToolSpecs(): Promise<ToolSpec[]> {
	// What the fields read leniently (input-fields.ts) is still asked for strictly.
	return Promise.all(Object.values(BUILTIN_TOOLS).map(async (load) => toolSpecOf(await load(), "output")));
}
