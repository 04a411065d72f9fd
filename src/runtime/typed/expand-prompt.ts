// What a person typed becomes what an agent is asked: `/name arguments` the prompt that the command or skill stands
// for, with the output of its commands; and the files that it names with `@path` are added. Main thread, under the
// same permissions as the agent's own calls.

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { TemplatePart } from "../../config/command-template.ts";
import { findMentions, type Mention, type MentionedFile } from "../../config/mentions.ts";
import { parseRules } from "../../permissions/rules/parse-rule.ts";
import type { Rule } from "../../permissions/rules/rule.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { TypedCalls } from "./typed-calls.ts";
import { findTypedCommand, type LoadedCommand } from "./typed-commands.ts";

export type ExpandedPrompt =
	| {
			readonly kind: "prompt";
			readonly text: string;
			/** What it names that could not be added, one line each. */
			readonly notes: readonly string[];
	  }
	/** It begins with `/name`, and there is no command or skill of that name. */
	| { readonly kind: "unknown-command"; readonly name: string }
	/** A command in the command's text may not run: nothing may be asked. */
	| { readonly kind: "refused"; readonly message: string };

export type ExpandPrompt = (run: LiveRun, text: string, signal: AbortSignal) => Promise<ExpandedPrompt>;

export interface ExpandPromptParts {
	readonly commands: readonly LoadedCommand[];
	readonly calls: TypedCalls;
	readonly cwd: string;
	readonly homeDir: string;
	onWarning(text: string): void;
}

const MAX_FILES = 20;
const MAX_CHARS = 1_000_000;

export function createExpandPrompt(parts: ExpandPromptParts): ExpandPrompt {
	const { commands, calls, cwd, homeDir } = parts;

	async function expandCommand(run: LiveRun, command: LoadedCommand, typed: string, signal: AbortSignal) {
		const rules = rulesOf(command, parts);
		const filled: string[] = [];
		const notes: string[] = [];
		const pieces = command.expand(typed);
		for (const piece of pieces) {
			if (piece.kind === "text") {
				filled.push(piece.text);
				continue;
			}
			const ran = await calls.runCommand(run, piece.text, rules, signal);
			if (ran.kind === "denied") {
				return { refused: `/${command.name} cannot run \`${piece.text}\`: ${ran.message}` };
			}
			filled.push(ran.output);
			if (ran.timedOut) notes.push(`/${command.name}: \`${piece.text}\` was ended: ${ran.timedOut}`);
		}
		// What a command prints names no files.
		return { text: filled.join(""), written: textsOf(pieces), notes };
	}

	async function readFirst(run: LiveRun, { written, candidates }: Mention, signal: AbortSignal) {
		for (const candidate of candidates) {
			// What is no file here is a handle or a package, and stays as it is.
			const found = await stat(resolve(cwd, candidate.path)).catch(() => undefined);
			if (!found || found.isDirectory()) continue;
			const read = await calls.readFile(run, candidate, signal);
			if (read.kind === "denied") return { note: `@${written} is not added: ${read.message}` };
			return { text: attached(candidate, read.content), path: candidate.path };
		}
		return undefined;
	}

	async function attach(
		run: LiveRun,
		prompt: { text: string; written: string; notes?: readonly string[] },
		signal: AbortSignal,
	) {
		const files = new Map<string, string>();
		const notes = [...(prompt.notes ?? [])];
		let chars = 0;
		for (const mention of findMentions(prompt.written, homeDir)) {
			const added = await readFirst(run, mention, signal);
			if (added?.note !== undefined) notes.push(added.note);
			if (added?.text === undefined) continue;
			chars += added.text.length;
			if (files.size === MAX_FILES || chars > MAX_CHARS) {
				notes.push(`@${mention.written} is not added: the prompt names more than can be added to it`);
				break;
			}
			files.set(added.text, added.text);
		}
		return { kind: "prompt" as const, text: [prompt.text, ...files.values()].join("\n\n"), notes };
	}

	return async (run, text, signal) => {
		const [, name, typed = ""] = /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
		if (name === undefined) return attach(run, { text, written: text }, signal);
		const command = findTypedCommand(commands, name);
		if (!command) {
			// As in Claude Code: `/tmp is full` is about a folder.
			if (!(await stat(`/${name}`).catch(() => undefined))) return { kind: "unknown-command", name };
			return attach(run, { text, written: text }, signal);
		}
		const expanded = await expandCommand(run, command, typed, signal);
		if (expanded.refused !== undefined) return { kind: "refused", message: expanded.refused };
		return attach(run, expanded, signal);
	};
}

function textsOf(pieces: readonly TemplatePart[]): string {
	return pieces.map(({ kind, text }) => (kind === "text" ? text : "")).join("\n");
}

function attached({ path, lines }: MentionedFile, content: string): string {
	const span = lines === undefined ? "" : ` lines="${lines.offset}-${lines.offset + lines.limit - 1}"`;
	return `<file path="${path.replaceAll('"', "&quot;")}"${span}>\n${content}\n</file>`;
}

function rulesOf({ allowedTools, source, path }: LoadedCommand, parts: ExpandPromptParts): readonly Rule[] {
	const { rules, errors } = parseRules({ allow: allowedTools }, { scope: source, label: path, root: parts.cwd });
	for (const error of errors) parts.onWarning(error.message);
	return rules;
}
