// `skill`: loads the instructions of one skill. The agent's side only passes the call on: the files are main's.

import * as z from "zod/mini";
import type { Tool } from "../tools/definition.ts";
import { optionalText, requiredText } from "../tools/input-fields.ts";

export const SKILL_NAME = "skill";
/** The room that main answers for this tool. */
export const SKILL_ROOM = "skills";

export const skillInputSchema = z.object({
	name: requiredText("name", "Name of the skill, as the system prompt lists it"),
	arguments: optionalText("arguments", "What the skill's instructions take as arguments"),
});

export const skillTool: Tool<z.infer<typeof skillInputSchema>> = {
	name: SKILL_NAME,
	description: "Loads the instructions of a skill that the system prompt lists. Load it before you do what it is for.",
	inputSchema: skillInputSchema,
	readOnly: true,
	summarize: (input) => input.name,
	execute: (input, { ask, toolUseId, signal }) =>
		ask("room-call", { room: SKILL_ROOM, name: SKILL_NAME, input, toolUseId }, signal),
};
