// write_file: a whole file, in one step, with the folders above it. Refuses to replace what the agent has not seen.

import type { Stats } from "node:fs";
import { access, constants } from "node:fs/promises";
import { basename, dirname } from "node:path";
import * as z from "zod/mini";
import { type Tool, type ToolContext, ToolError } from "../definition.ts";
import { refusalOf, toFileError } from "../files/file-errors.ts";
import { withFileLock } from "../files/file-lock.ts";
import { type FolderHandle, openOrCreateFolder } from "../files/folder-handle.ts";
import { replaceFile, statEntry } from "../files/replace-file.ts";
import { requiredText } from "../input-fields.ts";

export const WRITE_FILE_NAME = "write_file";

const inputSchema = z.object({
	path: requiredText("path", "File to write; relative paths start at the working folder"),
	content: requiredText("content", "The whole new content of the file", { empty: true }),
});
type WriteFileInput = z.infer<typeof inputSchema>;

export const writeFileTool: Tool<WriteFileInput> = {
	name: WRITE_FILE_NAME,
	description:
		"Writes a whole file and creates missing folders. An existing file must have been read with read_file first, " +
		"and not have changed since. To change a part of a file use edit_file.",
	inputSchema,
	readOnly: false,
	summarize: ({ path }) => path,
	async execute(input, context) {
		const realPath = await context.workspace.resolve(input.path);
		if (realPath === context.workspace.root) throw new ToolError(`Error: ${input.path} is a folder, not a file`);
		try {
			return await withFileLock(realPath, context, () => write(input, realPath, context));
		} catch (thrown) {
			throw toFileError(thrown, input.path, "write");
		}
	},
};

async function write(input: WriteFileInput, realPath: string, context: ToolContext): Promise<string> {
	context.signal.throwIfAborted();
	const folder = await openOrCreateFolder(dirname(realPath));
	try {
		const name = basename(realPath);
		const before = await statEntry(folder, name);
		if (before) await guardExisting(input.path, realPath, before, { context, folder, name });
		const data = Buffer.from(input.content, "utf8");
		const written = await replaceFile(folder, name, data, before);
		if (written === "changed") throw new ToolError(changedText(input.path));
		context.reads.note(realPath, written);
		return `Wrote ${data.length} bytes to ${input.path}`;
	} finally {
		await folder.close();
	}
}

interface Place {
	readonly context: ToolContext;
	readonly folder: FolderHandle;
	readonly name: string;
}

async function guardExisting(path: string, realPath: string, before: Stats, place: Place): Promise<void> {
	const refusal = refusalOf(before, path);
	if (refusal) throw new ToolError(refusal);
	await access(place.folder.entry(place.name), constants.W_OK);
	// Nothing can be lost from an empty file.
	if (before.size === 0) return;
	const seen = place.context.reads.check(realPath, before);
	if (seen === "changed") throw new ToolError(changedText(path));
	if (seen === "unread") {
		throw new ToolError(`Error: ${path} exists and has not been read; read it before writing over it`);
	}
}

function changedText(path: string): string {
	return `Error: ${path} has changed since it was read; read it again before writing over it`;
}
