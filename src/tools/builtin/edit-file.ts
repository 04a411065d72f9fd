// edit_file: replaces one text in a file, or all of its occurrences, and nothing else about the file.

import { constants, type Stats } from "node:fs";
import { access, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import * as z from "zod/mini";
import { type Tool, type ToolContext, ToolError } from "../definition.ts";
import { type EditResult, editBytes } from "../files/edit-bytes.ts";
import { formatSize, refusalOf, toFileError } from "../files/file-errors.ts";
import { withFileLock } from "../files/file-lock.ts";
import { type FolderHandle, openFolder } from "../files/folder-handle.ts";
import { replaceFile, statEntry } from "../files/replace-file.ts";
import { optionalFlag, requiredText } from "../input-fields.ts";

export const EDIT_FILE_NAME = "edit_file";

const MAX_BYTES = 32 * 1024 * 1024;
/** How often an edit starts again because another process wrote the file in between. */
const MAX_TRIES = 5;

const inputSchema = z.object({
	path: requiredText("path", "File to change; relative paths start at the working folder"),
	old_text: requiredText("old_text", "Text to replace, exactly as it stands in the file", { empty: true }),
	new_text: requiredText("new_text", "Text to put in its place", { empty: true }),
	replace_all: optionalFlag("replace_all", "Replaces every occurrence instead of exactly one"),
});
type EditFileInput = z.infer<typeof inputSchema>;

export const editFileTool: Tool<EditFileInput> = {
	name: EDIT_FILE_NAME,
	description:
		"Replaces old_text by new_text in a file. old_text must occur exactly once, so give enough lines around it; " +
		"with replace_all every occurrence is replaced. Line ends, permissions and everything else stay as they are.",
	inputSchema,
	readOnly: false,
	summarize: ({ path }) => path,
	async execute(input, context) {
		if (input.old_text === "") {
			throw new ToolError("Error: old_text must not be empty; write a whole file with write_file");
		}
		if (input.old_text === input.new_text) throw new ToolError("Error: old_text and new_text are the same");
		const realPath = await context.workspace.resolve(input.path);
		try {
			return await withFileLock(realPath, context, () => edit(input, realPath, context));
		} catch (thrown) {
			throw toFileError(thrown, input.path, "edit");
		}
	},
};

async function edit(input: EditFileInput, realPath: string, context: ToolContext): Promise<string> {
	const folder = await openFolder(dirname(realPath));
	try {
		for (let tries = 0; tries < MAX_TRIES; tries += 1) {
			context.signal.throwIfAborted();
			const result = await editOnce(input, folder, realPath, context);
			if (result !== "changed") return result;
		}
		throw new ToolError(`Error: ${input.path} keeps changing while it is edited; try again`);
	} finally {
		await folder.close();
	}
}

async function editOnce(
	input: EditFileInput,
	folder: FolderHandle,
	realPath: string,
	context: ToolContext,
): Promise<string | "changed"> {
	const name = basename(realPath);
	const before = await statEntry(folder, name);
	if (!before) throw new ToolError(`Error: file not found: ${input.path}`);
	const content = await readWhole(input.path, folder.entry(name), before);
	const result = editBytes(content, {
		oldText: input.old_text,
		newText: input.new_text,
		replaceAll: input.replace_all ?? false,
	});
	if (result.kind !== "edited") throw new ToolError(failureOf(result, input.path));
	const written = await replaceFile(folder, name, result.bytes, before);
	if (written === "changed") return "changed";
	// An edit shows the agent nothing it had not seen: only a file it knew before stays known.
	if (context.reads.check(realPath, before) === "current") context.reads.note(realPath, written);
	return `Edited ${input.path} (${result.count} ${result.count === 1 ? "replacement" : "replacements"})`;
}

async function readWhole(path: string, entry: string, before: Stats): Promise<Buffer> {
	refuseOthers(before, path);
	if (before.size > MAX_BYTES) {
		throw new ToolError(
			`Error: ${path} has ${formatSize(before.size)}; edit_file takes files up to ${formatSize(MAX_BYTES)}. Use bash`,
		);
	}
	await access(entry, constants.W_OK);
	const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
	const handle = await open(entry, flags);
	try {
		// Race: the entry may have become something else since.
		refuseOthers(await handle.stat(), path);
		return await handle.readFile();
	} finally {
		await handle.close();
	}
}

function refuseOthers(stats: Stats, path: string): void {
	const refusal = refusalOf(stats, path);
	if (refusal) throw new ToolError(refusal);
}

function failureOf(result: Exclude<EditResult, { kind: "edited" }>, path: string): string {
	if (result.kind === "not-found") return `Error: text not found in ${path}`;
	return `Error: text occurs ${result.count} times in ${path}; add lines around it to make it unique, or set replace_all`;
}
