// Reads what the tools answer, cuts included. A result that the agent loop moved to a file counts as cut.

import type { ToolAnswer } from "./history.ts";

export interface ResultLines {
	readonly lines: readonly string[];
	/** Lines that were left out, as far as the tool counted them. */
	readonly more: number;
	readonly isCut: boolean;
	/** What the tool says besides, e.g. files it could not search. */
	readonly notes: readonly string[];
}

export interface GlobResult {
	/** As shown: from the working folder, or absolute. */
	readonly paths: readonly string[];
	/** All that match, shown or not. */
	readonly total: number;
	readonly isCut: boolean;
}

export interface Match {
	/** As shown. */
	readonly path: string;
	readonly line: number;
	readonly text: string;
}

const EMPTY = /^\((no matches|no output)\)$/;
const CUT = /^\.\.\. \((.*)\)$/;
const PERSISTED = /^<persisted-output /;

/** Whether the agent loop moved the result out of the conversation, at once or later to save room. */
export function isMoved({ text }: ToolAnswer): boolean {
	return PERSISTED.test(text);
}

export function readLines({ text }: ToolAnswer): ResultLines {
	if (isMoved({ text, isError: false })) return { lines: [], more: 0, isCut: true, notes: [] };
	const lines: string[] = [];
	const notes: string[] = [];
	let more = 0;
	let isCut = false;
	for (const line of text.split("\n")) {
		const cut = CUT.exec(line)?.[1];
		if (cut !== undefined) {
			isCut = true;
			more += Number(/^(?:more than )?(\d+)/.exec(cut)?.[1] ?? 0);
		} else if (/^\[(some files|stopped|line \d)/.test(line)) notes.push(line.replace(/^\[|\]$/g, ""));
		else if (line !== "" && !EMPTY.test(line)) lines.push(line);
	}
	return { lines, more, isCut, notes };
}

export function readGlob(answer: ToolAnswer): GlobResult {
	const { lines, more, isCut } = readLines(answer);
	// The note counts the rest, or says how many there are at least.
	const isAtLeast = /^\.\.\. \(more than /m.test(answer.text);
	return { paths: lines, total: isAtLeast ? Math.max(more, lines.length) : lines.length + more, isCut };
}

/** `path:count` lines as a map from path to count. */
export function readCounts(lines: readonly string[]): Map<string, number> {
	return new Map(
		lines.flatMap((line) => {
			const match = /^(.*):(\d+)$/s.exec(line);
			return match ? [[match[1] ?? "", Number(match[2])] as const] : [];
		}),
	);
}

/** `path:line:text` lines. A path may hold `:3:` itself, so known files are preferred. */
export function readMatches(lines: readonly string[], isFile: (path: string) => boolean): Match[] {
	return lines.flatMap((line) => {
		const splits = [...line.matchAll(/:(\d+):/g)].map((match) => ({
			path: line.slice(0, match.index),
			line: Number(match[1]),
			text: line.slice(match.index + match[0].length),
		}));
		const found = splits.find(({ path }) => isFile(path)) ?? splits[0];
		return found ? [found] : [];
	});
}

/** The names in an `ls -1Ap` listing. */
export function readFolder(answer: ToolAnswer): { readonly folders: string[]; readonly files: string[] } {
	const { lines } = readLines(answer);
	const folders = lines.filter((line) => line.endsWith("/")).map((line) => line.slice(0, -1));
	return { folders, files: lines.filter((line) => !line.endsWith("/")) };
}

/**
 * What the tools put before a path of the tree: they show paths from their working folder, which may be the
 * tree's root, a folder above it, or elsewhere (then paths are absolute). `fits` tells what may follow.
 */
export function findPrefix(shown: readonly string[], root: string, fits: (path: string) => boolean): string {
	const folder = root.replace(/^(\.\/)+/, "").replace(/\/+$/, "");
	const segments = folder === "." ? [] : folder.split("/").filter(Boolean);
	const tails = segments.map((_, from) => `${segments.slice(from).join("/")}/`);
	const candidates = [...(root.startsWith("/") ? [`/${tails[0] ?? ""}`] : []), ...tails, ""];
	const isRelative = (path: string) => !path.startsWith("/") && fits(path);
	const matching = candidates.find((prefix) =>
		shown.every((path) => path.startsWith(prefix) && isRelative(path.slice(prefix.length))),
	);
	return matching ?? commonFolder(shown);
}

function commonFolder(paths: readonly string[]): string {
	let common = paths[0] ?? "";
	for (const path of paths) {
		while (!path.startsWith(common)) common = common.slice(0, -1);
	}
	return common.slice(0, common.lastIndexOf("/") + 1);
}
