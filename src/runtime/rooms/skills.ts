// Skills on main: what the model may load.

import { renderSkill, type Skill } from "../../config/skills.ts";
import { SKILL_NAME, skillInputSchema, skillTool } from "../../skills/skill-tool.ts";
import type { Tool } from "../../tools/definition.ts";
import { formatInputErrors } from "../../tools/input-errors.ts";
import { toolSpecOf } from "../../tools/tool-spec.ts";
import type { ToolSpec } from "../../wire/conversation.ts";
import type { RoomHandler } from "./room-calls.ts";

export interface SkillRoom {
	/** The `skill` tool, where there is a skill for it to load. */
	readonly specs: readonly ToolSpec[];
	/** For the system prompt. */
	readonly catalog: readonly Skill[];
	readonly call: RoomHandler;
}

export async function createSkillRoom(skills: readonly Skill[]): Promise<SkillRoom> {
	const catalog = skills.filter((skill) => skill.modelInvocable);
	return {
		specs: catalog.length > 0 ? [await toolSpecOf(skillTool as Tool)] : [],
		catalog,
		call: async (_run, name, input) => {
			if (name !== SKILL_NAME) return { content: `Error: there is no call '${name}' for skills`, isError: true };
			const parsed = skillInputSchema.safeParse(input);
			if (!parsed.success) return { content: formatInputErrors(parsed.error.issues, input), isError: true };
			const skill = catalog.find(({ name }) => name === parsed.data.name);
			if (skill) return { content: renderSkill(skill, parsed.data.arguments ?? "") };
			const known = catalog.map(({ name }) => name).join(", ");
			return { content: `Error: there is no skill '${parsed.data.name}'; known: ${known || "none"}`, isError: true };
		},
	};
}
