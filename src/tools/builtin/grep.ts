// grep: file contents by regular expression, through ripgrep, with a bound on what reaches the history.

import { lstat } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import * as z from "zod/mini";
import { type Tool, type ToolContext, ToolError, type ToolOutput } from "../definition.ts";
import { formatSize, refusalOf, toFileError } from "../files/file-errors.ts";
import { resolveForRead } from "../files/open-regular.ts";
import { optionalChoice, optionalCount, optionalFlag, optionalText, requiredText } from "../input-fields.ts";
import { MAX_SEARCH_MS, type RipgrepResult, runRipgrep } from "../process/run-ripgrep.ts";

export const GREP_NAME = "grep";

const DEFAULT_LIMIT = 250;
const MAX_CHARACTERS = 50_000;
const NOTE_CHARACTERS = 5_000;
const MAX_COLUMNS = 500;
/** A single file from this size on, in bytes, has less time: a model that waits for one should say so. */
const LARGE_FILE = 256 * 1024 * 1024;
/** In ms; a literal takes about half of it in a gigabyte on a free machine. */
const LARGE_FILE_MS = 800;
const MAX_TIMEOUT_MS = 600_000;

// Upstream: ripgrep takes it for an error when filters left no file to search.
const NOTHING_SEARCHED = "rg: No files were searched";

const inputSchema = z.object({
	pattern: requiredText("pattern", "Regular expression (ripgrep's syntax; look-around works too)"),
	path: optionalText("path", "File or folder to search; the working folder if absent"),
	glob: optionalText("glob", "Searches only files that match, e.g. `*.ts` or `src/**/*.ts`"),
	output_mode: optionalChoice(
		"output_mode",
		"content: matching lines (default); files_with_matches: paths; count: matches per file",
		["content", "files_with_matches", "count"],
	),
	context: optionalCount("context", "Lines to show around each match (content only)", { minimum: 0, maximum: 1000 }),
	ignore_case: optionalFlag("ignore_case", "Takes capital and small letters as the same"),
	limit: optionalCount("limit", `Most lines or files to show; ${DEFAULT_LIMIT} if absent`, {
		minimum: 1,
		maximum: 100_000,
	}),
	timeout_ms: optionalCount(
		"timeout_ms",
		`Time the search may take, in ms; ${MAX_SEARCH_MS} if absent, ${LARGE_FILE_MS} in a file over ${formatSize(LARGE_FILE)}`,
		{ minimum: 1, maximum: MAX_TIMEOUT_MS },
	),
});
type GrepInput = z.infer<typeof inputSchema>;

export const grepTool: Tool<GrepInput> = {
	name: GREP_NAME,
	description:
		"Searches file contents with ripgrep and returns `path:line:text`, the paths, or counts. Files that .gitignore " +
		`names and binary files are left out; lines are cut at ${MAX_COLUMNS} characters.`,
	inputSchema,
	readOnly: true,
	maxResultChars: MAX_CHARACTERS + NOTE_CHARACTERS,
	summarize: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
	async execute(input, context) {
		const { target, folder, bytes } = await findTarget(input.path, context);
		const lines = new LineCollector(input.limit ?? DEFAULT_LIMIT);
		const timeoutMs = input.timeout_ms ?? (bytes > LARGE_FILE ? LARGE_FILE_MS : MAX_SEARCH_MS);
		const result = await runRipgrep(context, {
			args: argsFor(input),
			...(target === "." ? {} : { target }),
			cwd: folder,
			onOutput: (chunk) => lines.push(chunk),
			timeoutMs,
		});
		const ended = `the search was ended after ${timeoutMs / 1000} s`;
		return describe(result, lines, bytes > 0 ? `${ended}, before the end of ${formatSize(bytes)}` : ended);
	},
};

interface SearchTarget {
	/** The place to search, as ripgrep's argument. */
	readonly target: string;
	/** Where ripgrep runs: its globs start here, so a place outside the working folder is searched from itself. */
	readonly folder: string;
	/** Size of the file to search; 0 for a folder. */
	readonly bytes: number;
}

// ripgrep would block on a FIFO that is named to it, so the kind is checked.
async function findTarget(path: string | undefined, context: ToolContext): Promise<SearchTarget> {
	const { root } = context.workspace;
	if (path === undefined) return { target: ".", folder: root, bytes: 0 };
	const realPath = await resolveForRead(context, path);
	const stats = await lstat(realPath).catch((thrown: unknown) => {
		throw toFileError(thrown, path, "search");
	});
	const refusal = stats.isDirectory() ? undefined : refusalOf(stats, path);
	if (refusal) throw new ToolError(refusal);
	const target = context.workspace.display(realPath);
	const outside = isAbsolute(target) && target !== root;
	return {
		target,
		folder: outside ? (stats.isDirectory() ? realPath : dirname(realPath)) : root,
		bytes: stats.isDirectory() ? 0 : stats.size,
	};
}

function argsFor(input: GrepInput): string[] {
	// One thread, so that the same search gives the same order.
	// Lines are written at once, or those found before a timeout would be lost.
	const args = ["--sort=path", "--line-buffered", "--engine=auto", `--regexp=${input.pattern}`];
	if (input.ignore_case) args.push("--ignore-case");
	if (/\n|\\n/.test(input.pattern)) args.push("--multiline");
	if (input.glob) args.push(...globArgs(input.glob));
	switch (input.output_mode ?? "content") {
		case "files_with_matches":
			return [...args, "--files-with-matches"];
		case "count":
			return [...args, "--count-matches", "--with-filename"];
		case "content":
			return [
				...args,
				...["--line-number", "--with-filename", "--no-heading", `--context=${input.context ?? 0}`],
				...[`--max-columns=${MAX_COLUMNS}`, "--max-columns-preview"],
			];
	}
}

// Upstream: a file that `--glob` names is searched even if an ignore file excludes it; a type filter does not do that,
// but knows file names only.
function globArgs(glob: string): string[] {
	if (glob.startsWith("!") || glob.includes("/")) return [`--glob=${glob}`];
	return [`--type-add=wanted:${glob}`, "--type=wanted"];
}

function describe({ code, stopped, stderr }: RipgrepResult, lines: LineCollector, ending: string): ToolOutput {
	const unfinished = stopped === "timeout";
	const { shown, stoppedBy } = lines.finish(unfinished);
	if (shown.length === 0) {
		if (unfinished) {
			return {
				content: `Error: ${ending}, with no result so far; raise timeout_ms, or narrow the pattern or the path`,
				isError: true,
			};
		}
		if (code === 2 && !stderr.startsWith(NOTHING_SEARCHED))
			return { content: `Error: ${readableError(stderr)}`, isError: true };
		return "(no matches)";
	}
	const notes = code === 2 ? [`[some files could not be searched: ${readableError(stderr)}]`] : [];
	if (unfinished) notes.push(`... (${ending}: there may be more matches; raise timeout_ms or narrow the search)`);
	if (stoppedBy === "limit") notes.push(`... (more matches; raise limit or narrow the search)`);
	if (stoppedBy === "size")
		notes.push(`... (more matches, stopped after ${MAX_CHARACTERS} characters; narrow the search)`);
	return [...shown, ...notes].join("\n");
}

function readableError(stderr: string): string {
	return stderr.replace(/^rg: /, "").slice(0, 1000) || "the search failed";
}

/** Whole lines until one of the bounds is reached. */
class LineCollector {
	readonly #limit: number;
	readonly #shown: string[] = [];
	readonly #decoder = new TextDecoder();
	#characters = 0;
	#rest = "";
	#stoppedBy: "limit" | "size" | undefined;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** False when no more is wanted. */
	push(chunk: Buffer): boolean {
		const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
		this.#rest = lines.pop() ?? "";
		for (const line of lines) this.#add(line);
		// One line may come without an end for ever: only its start is of use.
		if (this.#rest.length > MAX_CHARACTERS) this.#add(this.#rest);
		return this.#stoppedBy === undefined;
	}

	/** What has no line end yet is half a line if the search was `unfinished`. */
	finish(unfinished: boolean): { shown: readonly string[]; stoppedBy: "limit" | "size" | undefined } {
		if (this.#rest !== "" && !unfinished) this.#add(this.#rest);
		return { shown: this.#shown, stoppedBy: this.#stoppedBy };
	}

	#add(line: string): void {
		if (this.#stoppedBy) return;
		if (this.#shown.length === this.#limit) {
			this.#stoppedBy = "limit";
			return;
		}
		const room = MAX_CHARACTERS - this.#characters;
		if (line.length > room) this.#stoppedBy = "size";
		if (line.length > room && this.#shown.length > 0) return;
		this.#shown.push(line.slice(0, room));
		this.#characters += line.length + 1;
	}
}
