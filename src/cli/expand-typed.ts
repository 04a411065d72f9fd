// What a line that a person gave asks for, typed at the prompt or given with -p: a built-in command answers by itself,
// anything else becomes a prompt.

import type { ExpandedPrompt } from "../runtime/typed/expand-prompt.ts";
import { type CommandContext, findCommand } from "./repl/repl-commands.ts";
import { plainText } from "./terminal/plain-text.ts";

export type Typed =
	| Extract<ExpandedPrompt, { kind: "prompt" }>
	/** Nothing is asked; this is the answer. */
	| { readonly kind: "said"; readonly text: string; readonly isError: boolean };

/** @param hasPerson somebody sits at a terminal */
export async function readTyped(line: string, context: CommandContext, hasPerson: boolean): Promise<Typed> {
	const found = findCommand(line);
	if (found) {
		const { command, rest } = found;
		if (command.interactive && !hasPerson) {
			return failed(`${command.names[0]} works in an interactive session only: run clowder without -p`);
		}
		return { kind: "said", text: plainText(await command.run(rest, context)), isError: false };
	}
	const expanded = await context.lead.expand(line);
	switch (expanded.kind) {
		case "prompt":
			return expanded;
		case "refused":
			return failed(plainText(expanded.message));
		case "unknown-command":
			return failed(`Unknown slash command: ${expanded.name}${hasPerson ? ". /help lists the commands." : ""}`);
	}
}

function failed(text: string): Typed {
	return { kind: "said", text, isError: true };
}

/** Runs a line of the interactive session; resolves with what is to be shown, when a turn it asked for has ended. */
export async function runTyped(line: string, context: CommandContext, tell: (note: string) => void): Promise<string> {
	const typed = await readTyped(line, context, true);
	if (typed.kind === "said") return typed.text;
	for (const note of typed.notes) tell(plainText(note));
	await context.lead.prompt(typed.text);
	return "";
}
