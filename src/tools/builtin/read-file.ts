// read_file: lines of one text file, streamed, with a bound on what reaches the history.

import * as z from "zod/mini";
import type { Tool, ToolContext } from "../definition.ts";
import { formatSize, toFileError } from "../files/file-errors.ts";
import { type LineWindow, readLineWindow } from "../files/line-window.ts";
import { type OpenFile, openRegular } from "../files/open-regular.ts";
import { optionalCount, requiredText } from "../input-fields.ts";

export const READ_FILE_NAME = "read_file";

const DEFAULT_LINES = 2000;
const MAX_BYTES = 256 * 1024;
const NOTE_CHARACTERS = 5_000;
/** Looking for a line deep in a file takes no longer, in ms; a gigabyte takes about half of it on a free machine. */
const MAX_SEARCH_MS = 800;
/** Counting the lines that are left reads the file; this much takes a few hundredths of a second. */
const MAX_COUNTED_BYTES = 32 * 1024 * 1024;

const inputSchema = z.object({
	path: requiredText("path", "File to read; relative paths start at the working folder"),
	offset: optionalCount("offset", "First line to read, from 1", { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
	limit: optionalCount("limit", `Most lines to read; ${DEFAULT_LINES} if absent`, {
		minimum: 1,
		maximum: Number.MAX_SAFE_INTEGER,
	}),
});
type ReadFileInput = z.infer<typeof inputSchema>;

export const readFileTool: Tool<ReadFileInput> = {
	name: READ_FILE_NAME,
	description:
		"Reads a text file and returns its lines, without line numbers. " +
		`Returns at most ${DEFAULT_LINES} lines and 256 KB; for the rest call it again with offset and limit. ` +
		"Output that leaves lines out ends with `... (N more lines)`. Binary files and folders are refused.",
	inputSchema,
	readOnly: true,
	// Its own bound is enough: a result kept as a file would have to be read in pieces with this very tool.
	maxResultChars: MAX_BYTES + NOTE_CHARACTERS,
	summarize: ({ path }) => path,
	async execute(input, context) {
		const file = await openRegular(context, input.path);
		try {
			const window = await readLines(file, input, context);
			if (window.kind !== "binary") context.reads.note(file.realPath, file.stats);
			return describe(window, input, file.stats.size);
		} catch (thrown) {
			throw toFileError(thrown, input.path, "read");
		} finally {
			await file.handle.close();
		}
	},
};

function readLines({ handle, stats }: OpenFile, input: ReadFileInput, context: ToolContext): Promise<LineWindow> {
	const startedMs = context.clock.monotonicMs();
	const read = async (buffer: Uint8Array) => {
		context.signal.throwIfAborted();
		context.touch();
		return (await handle.read(buffer, 0, buffer.length, null)).bytesRead;
	};
	return readLineWindow(read, {
		firstLine: firstLineOf(input),
		maxLines: input.limit ?? DEFAULT_LINES,
		maxBytes: MAX_BYTES,
		maxCountedBytes: MAX_COUNTED_BYTES,
		isLate: () => context.clock.monotonicMs() - startedMs > MAX_SEARCH_MS,
		sizeBytes: stats.size,
	});
}

function describe(window: LineWindow, input: ReadFileInput, sizeBytes: number) {
	if (window.kind === "binary") {
		const content = `Error: ${input.path} is a binary file (${formatSize(sizeBytes)}); read_file shows text only`;
		return { content, isError: true };
	}
	if (window.kind === "past-end") {
		const lines = window.totalLines === 1 ? "1 line" : `${window.totalLines} lines`;
		return { content: `Error: offset ${input.offset} is past the end of ${input.path} (${lines})`, isError: true };
	}
	if (window.kind === "too-far") return { content: farAway(window, input, sizeBytes), isError: true };
	if (window.shown === 0) return "(file is empty)";
	const ending = [...notesOf(window, input), ...moreOf(window, input, sizeBytes)];
	return [window.text, ...ending].join("\n");
}

function farAway(window: LineWindow & { kind: "too-far" }, input: ReadFileInput, sizeBytes: number): string {
	const first = firstLineOf(input);
	const last = first + (input.limit ?? DEFAULT_LINES) - 1;
	const passed = `${window.passedLines} lines, ${formatSize(window.passedBytes)} of ${formatSize(sizeBytes)}`;
	const path = `'${input.path.replaceAll("'", "'\\''")}'`;
	return [
		`Error: line ${first} of ${input.path} lies too deep to be found in time (passed: ${passed}).`,
		`bash takes the time it needs: sed -n '${first},${last}p;${last}q' ${path}. grep finds lines by what is on them.`,
	].join("\n");
}

/** Says which bound of this tool ended the output, where the caller did not ask for that. */
function notesOf(window: LineWindow & { kind: "lines" }, input: ReadFileInput): string[] {
	const last = firstLineOf(input) + window.shown - 1;
	if (window.cut) return [`[line ${last} is longer than 256 KB and was cut; use bash to see the rest of it]`];
	if (window.more === 0 || window.shown === input.limit) return [];
	const bound = window.shown === DEFAULT_LINES ? `${DEFAULT_LINES} lines` : "256 KB";
	return [`[stopped after ${bound}; go on with offset ${last + 1}]`];
}

function moreOf(window: LineWindow & { kind: "lines" }, input: ReadFileInput, sizeBytes: number): string[] {
	if (window.more === 0) return [];
	if (window.more !== undefined) return [`... (${window.more} more lines)`];
	return [`... (more lines, not counted: ${input.path} has ${formatSize(sizeBytes)}; grep finds the right ones)`];
}

// Some models count lines from 0; the first line is what they mean.
function firstLineOf(input: ReadFileInput): number {
	return Math.max(1, input.offset ?? 1);
}
