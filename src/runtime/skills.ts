// Skills and slash commands on main: what the model may load, and what a person may call as `/name`.

import type { SlashCommand } from "../config/commands.ts";
import { expandArguments } from "../config/expand-arguments.ts";
import { renderSkill, type Skill } from "../config/skills.ts";
import { skillInputSchema, skillTool } from "../skills/skill-tool.ts";
import type { Tool } from "../tools/definition.ts";
import { formatInputErrors } from "../tools/input-errors.ts";
import { toolSpecOf } from "../tools/tool-spec.ts";
import type { ToolSpec } from "../wire/conversation.ts";
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
		call: async (_run, _name, input) => {
			const parsed = skillInputSchema.safeParse(input);
			if (!parsed.success) return { content: formatInputErrors(parsed.error.issues, input), isError: true };
			const skill = catalog.find(({ name }) => name === parsed.data.name);
			if (skill) return { content: renderSkill(skill, parsed.data.arguments ?? "") };
			const known = catalog.map(({ name }) => name).join(", ");
			return { content: `Error: there is no skill '${parsed.data.name}'; known: ${known || "none"}`, isError: true };
		},
	};
}

export interface TypedCommand {
	/** Without the slash. */
	readonly name: string;
	readonly description: string;
	readonly argumentHint?: string;
	/** The prompt it stands for. */
	expand(typed: string): string;
}

/** What a person may call: commands, and skills that allow it; of one name, the command counts. */
export function typedCommands(commands: readonly SlashCommand[], skills: readonly Skill[]): readonly TypedCommand[] {
	const byName = new Map<string, TypedCommand>();
	for (const skill of skills.filter((each) => each.userInvocable)) {
		byName.set(skill.name, { ...facts(skill), expand: (typed) => renderSkill(skill, typed) });
	}
	for (const command of commands) {
		byName.set(command.name, { ...facts(command), expand: (typed) => expandArguments(command.template, typed) });
	}
	return [...byName.values()];
}

function facts({ name, description, argumentHint }: Pick<SlashCommand, "name" | "description" | "argumentHint">) {
	return { name, description, ...(argumentHint === undefined ? {} : { argumentHint }) };
}
