// How user hooks see the input of our tools: with Claude Code's names for the fields. Both ways, because a hook may
// hand a changed input back. The tools' own names are in lib/tool-aliases.ts.

import { isAbsolute, resolve } from "node:path";
import { isRecord } from "../lib/is-record.ts";

/** Our field → Claude Code's, per tool, where they differ. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	read_file: { path: "file_path" },
	write_file: { path: "file_path" },
	edit_file: { path: "file_path", old_text: "old_string", new_text: "new_string" },
	bash: { timeout_ms: "timeout" },
	grep: { context: "-C", ignore_case: "-i", limit: "head_limit" },
	task: { agent_type: "subagent_type" },
	send_message: { body: "message" },
	create_task: { title: "subject" },
	get_task: { task_id: "taskId" },
	update_task: { task_id: "taskId", title: "subject" },
	job_output: { job_id: "bash_id" },
	job_stop: { job_id: "shell_id" },
	skill: { name: "skill" },
};

function fieldsOf(ownName: string): Readonly<Record<string, string>> {
	return (Object.hasOwn(FIELDS, ownName) ? FIELDS[ownName] : undefined) ?? {};
}

/** A tool's input as hooks get it; file paths are absolute, so that a guard need not know the agent's folder. */
export function toClaudeInput(ownName: string, input: unknown, cwd: string): unknown {
	if (!isRecord(input)) return input;
	if (ownName === "ask_user") return toClaudeQuestion(input);
	const renamed = renameKeys(input, fieldsOf(ownName));
	const path = renamed.file_path;
	if (typeof path !== "string") return renamed;
	return { ...renamed, file_path: isAbsolute(path) ? resolve(path) : resolve(cwd, path) };
}

/** What a hook put in the place of the input, in our names; fields that already are in ours stay. */
export function toOwnInput(ownName: string, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
	if (ownName === "ask_user") return toOwnQuestion(input);
	const back = Object.fromEntries(Object.entries(fieldsOf(ownName)).map(([own, claude]) => [claude, own]));
	return renameKeys(input, back);
}

// A renamed field wins over one that has the new name already.
function renameKeys(input: Readonly<Record<string, unknown>>, names: Readonly<Record<string, string>>) {
	const renamed: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(input)) if (!Object.hasOwn(names, key)) renamed[key] = value;
	for (const [key, value] of Object.entries(input)) {
		const name = Object.hasOwn(names, key) ? names[key] : undefined;
		if (name !== undefined) renamed[name] = value;
	}
	return renamed;
}

// Claude Code asks several questions at once, with an object per option; we ask one, with plain texts.
function toClaudeQuestion({ question, options, ...rest }: Readonly<Record<string, unknown>>): unknown {
	const labels = Array.isArray(options) ? { options: options.map((label) => ({ label: String(label) })) } : {};
	return { ...rest, questions: [{ question, ...labels }] };
}

function toOwnQuestion({ questions, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
	if (!isRecord(first)) return { ...rest };
	const { question, options } = first;
	const labels = Array.isArray(options)
		? options.map((option) => (isRecord(option) ? option.label : option))
		: undefined;
	return { ...rest, question, ...(labels === undefined ? {} : { options: labels }) };
}
