// glob: files by name. ripgrep walks the folders, because it knows the ignore files and never follows a symlink
// out of the workspace; picomatch decides what matches.

import { stat } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import * as z from "zod/mini";
import { type Tool, type ToolContext, ToolError } from "../definition.ts";
import { toFileError } from "../files/file-errors.ts";
import { optionalText, requiredText } from "../input-fields.ts";
import { MAX_SEARCH_MS, type RipgrepResult, runRipgrep } from "../process/run-ripgrep.ts";

export const GLOB_NAME = "glob";

const MAX_SHOWN = 250;
/** Above this, the newest are found among the first ones only: each costs a look at the disk. */
const MAX_COMPARED = 20_000;
const STATS_AT_ONCE = 32;
const MAX_PATTERN = 1_000;
const MAX_WILDCARDS = 5;
const UNFINISHED = `the search was ended after ${MAX_SEARCH_MS / 1000} s`;

const inputSchema = z.object({
	pattern: requiredText("pattern", "Glob such as `src/**/*.ts`; `*.ts` alone matches in the top folder only"),
	path: optionalText("path", "Folder to search; the working folder if absent"),
});
type GlobInput = z.infer<typeof inputSchema>;

export const globTool: Tool<GlobInput> = {
	name: GLOB_NAME,
	description:
		"Finds files by a glob pattern, newest first. Files that .gitignore names are left out; " +
		`at most ${MAX_SHOWN} are listed.`,
	inputSchema,
	readOnly: true,
	summarize: ({ pattern, path }) => (path ? `${pattern} in ${path}` : pattern),
	async execute(input, context) {
		checkCost(input.pattern);
		const search = await planSearch(input, context);
		const { found, stopped } = await listMatches(search, context);
		if (found.length === 0) {
			if (stopped) throw new ToolError(`Error: ${UNFINISHED}; nothing was found until then. Narrow the path`);
			return "(no matches)";
		}
		const newest = await newestFirst(search.folder, found);
		const shown = newest.slice(0, MAX_SHOWN).map((path) => context.workspace.display(join(search.folder, path)));
		return [...shown, ...noteOn(found.length, stopped)].join("\n");
	},
};

// A pattern becomes a regular expression that tries every way to share a name out among its wildcards; with many of
// them a single long name would hold the thread for minutes.
function checkCost(pattern: string): void {
	if (pattern.length > MAX_PATTERN) throw new ToolError(`Error: pattern is longer than ${MAX_PATTERN} characters`);
	const parts = pattern.split("/");
	const wild = Math.max(...parts.map((part) => part.match(/\*+|\+\(/g)?.length ?? 0));
	if (wild > MAX_WILDCARDS || parts.filter((part) => part === "**").length > MAX_WILDCARDS) {
		throw new ToolError(
			`Error: pattern has more than ${MAX_WILDCARDS} wildcards in one name, or more than ${MAX_WILDCARDS} \`**\``,
		);
	}
}

interface Search {
	/** Real folder to walk. */
	readonly folder: string;
	/** Pattern relative to that folder. */
	readonly pattern: string;
}

/** A pattern that begins outside the search folder (`/abs/…`, `../…`) moves the search there, if it may go there. */
async function planSearch(input: GlobInput, context: ToolContext): Promise<Search> {
	const { default: picomatch } = await import("picomatch");
	const start = input.path ?? ".";
	const pattern = input.pattern.replace(/^(?:\.\/)+/, "");
	if (!isAbsolute(pattern) && !pattern.split("/").includes("..")) {
		return { folder: await resolveFolder(start, context), pattern };
	}
	const { base, glob } = picomatch.scan(pattern);
	if (glob.split("/").includes("..")) throw new ToolError(`Error: \`..\` after a wildcard: ${pattern}`);
	const place = isAbsolute(base) ? base : `${start}${sep}${base}`;
	if (glob !== "") return { folder: await resolveFolder(place, context), pattern: glob };
	const cut = place.lastIndexOf("/");
	const name = place.slice(cut + 1).replaceAll(/[\\*?[\]{}()!+@]/g, "\\$&");
	return { folder: await resolveFolder(place.slice(0, cut) || "/", context), pattern: name };
}

async function resolveFolder(path: string, context: ToolContext): Promise<string> {
	const folder = await context.workspace.resolve(path);
	const stats = await stat(folder).catch((thrown: unknown) => {
		throw toFileError(thrown, path, "search");
	});
	if (!stats.isDirectory()) throw new ToolError(`Error: ${path} is not a folder`);
	return folder;
}

async function listMatches(
	{ folder, pattern }: Search,
	context: ToolContext,
): Promise<{ found: string[]; stopped: RipgrepResult["stopped"] }> {
	const { default: picomatch } = await import("picomatch");
	const matches = picomatch(pattern, { dot: true });
	const found: string[] = [];
	let rest = Buffer.alloc(0);
	const onOutput = (chunk: Buffer) => {
		const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
		const end = bytes.lastIndexOf(0) + 1;
		rest = Buffer.from(bytes.subarray(end));
		for (const path of bytes.toString("utf8", 0, end).split("\0")) {
			if (path !== "" && matches(path)) found.push(path);
		}
		return found.length < MAX_COMPARED;
	};
	const { code, stopped, stderr } = await runRipgrep(context, { args: ["--files", "--null"], cwd: folder, onOutput });
	if (code === 2 && found.length === 0) throw new ToolError(`Error: ${firstLine(stderr)}`);
	return { found, stopped };
}

async function newestFirst(folder: string, paths: readonly string[]): Promise<string[]> {
	const dated: { path: string; mtimeMs: number }[] = [];
	for (let at = 0; at < paths.length; at += STATS_AT_ONCE) {
		const some = paths.slice(at, at + STATS_AT_ONCE).map(async (path) => {
			const stats = await stat(join(folder, path)).catch(() => undefined);
			return { path, mtimeMs: stats?.mtimeMs ?? 0 };
		});
		dated.push(...(await Promise.all(some)));
	}
	dated.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
	return dated.map(({ path }) => path);
}

function noteOn(count: number, stopped: RipgrepResult["stopped"]): string[] {
	if (stopped === "timeout") return [`... (${UNFINISHED}: there may be more files; narrow the path)`];
	if (stopped === "enough") {
		return [
			`... (more than ${MAX_COMPARED} files match; these are the newest of the first ones found, narrow the pattern)`,
		];
	}
	if (count <= MAX_SHOWN) return [];
	return [`... (${count - MAX_SHOWN} more files; narrow the pattern or the path)`];
}

function firstLine(text: string): string {
	return text.split("\n", 1)[0] || "the folder cannot be searched";
}
