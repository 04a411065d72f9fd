// What a person may call as `/name`: the commands and skills of the project's and the home folder's files.

import type { TemplatePart } from "../../config/command-template.ts";
import type { SlashCommand } from "../../config/commands.ts";
import { expandTemplate } from "../../config/expand-arguments.ts";
import { expandSkill, type Skill } from "../../config/skills.ts";
import type { RuleSource } from "../../permissions/rules/rule.ts";

/** As it is listed. */
export interface TypedCommand {
	/** Without the slash. */
	readonly name: string;
	readonly description: string;
	readonly argumentHint?: string;
}

/** One with what it stands for. */
export interface LoadedCommand extends TypedCommand {
	/** Rules of its file: what its own commands may do without asking. */
	readonly allowedTools: readonly string[];
	readonly path: string;
	readonly source: Exclude<RuleSource["scope"], "flag" | "answer">;
	/** The prompt, and the commands whose output belongs in it. */
	expand(typed: string): readonly TemplatePart[];
}

/** Commands, and skills that allow it; of one name, the command counts. */
export function typedCommands(commands: readonly SlashCommand[], skills: readonly Skill[]): readonly LoadedCommand[] {
	const byName = new Map<string, LoadedCommand>();
	for (const skill of skills.filter((each) => each.userInvocable)) {
		byName.set(skill.name, { ...facts(skill), expand: (typed) => expandSkill(skill, typed) });
	}
	for (const command of commands) {
		byName.set(command.name, { ...facts(command), expand: (typed) => expandTemplate(command.template, typed) });
	}
	return [...byName.values()];
}

/** The one of this name: `/deep` finds `sub:deep` too, where no other is called so. */
export function findTypedCommand(commands: readonly LoadedCommand[], name: string): LoadedCommand | undefined {
	return (
		commands.find((command) => command.name === name) ?? commands.find((command) => command.name.endsWith(`:${name}`))
	);
}

function facts(file: SlashCommand | Skill): Omit<LoadedCommand, "expand"> {
	const { name, description, argumentHint, allowedTools, path, source } = file;
	return {
		...{ name, description, allowedTools, path, source },
		...(argumentHint === undefined ? {} : { argumentHint }),
	};
}
