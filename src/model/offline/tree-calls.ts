// The tool calls the rules make on a tree, in the tools' own input shapes (tools/builtin).

import type { ToolCall } from "./history.ts";
import { type Scope, SKIPPED_FOLDERS } from "./parts.ts";

export interface Search {
	/** ripgrep's syntax. */
	readonly pattern: string;
	readonly mode: "content" | "count";
	/** The first ones are enough. @default all */
	readonly limit?: number;
}

/** More than any result can hold: the tool's own bound on characters comes first. */
const NO_LIMIT = 100_000;
const SKIPPED = [".*", ...SKIPPED_FOLDERS].join(",");

/** All files of a scope, hidden folders, dependencies and build output left out. */
export function globCall(root: string, scope: Scope): ToolCall {
	return { name: "glob", input: { pattern: globPattern(scope), path: pathIn(root, scope.path) } };
}

/**
 * A search in a scope. `prefix` is what tool results put before a path of the tree. `names` narrows it to files
 * whose names match.
 */
export function grepCall(root: string, scope: Scope, search: Search, prefix: string, names?: string): ToolCall {
	const { pattern, mode, limit = NO_LIMIT } = search;
	const glob = grepGlob(scope, prefix, names);
	return { name: "grep", input: { pattern, path: pathIn(root, scope.path), glob, output_mode: mode, limit } };
}

/** What lies in a folder, folders with a slash at the end. */
export function listCall(root: string, folder: string): ToolCall {
	return { name: "bash", input: { command: `ls -1Ap -- ${shellQuoted(pathIn(root, folder))}` } };
}

export function readCall(root: string, file: string, limit: number): ToolCall {
	return { name: "read_file", input: { path: pathIn(root, file), limit } };
}

/** A path of the tree as the tools take it. */
export function pathIn(root: string, path: string): string {
	if (path === "") return root;
	if (root === ".") return path;
	return root.endsWith("/") ? root + path : `${root}/${path}`;
}

// The glob tool matches from the folder it searches. Inside braces `**/` is not nothing, so both are named.
function globPattern({ path, depth, except = [] }: Scope): string {
	if (depth === "direct") return "*";
	if (except.length === 0) return `!**/{${SKIPPED}}/**/*`;
	const start = path === "" ? 0 : path.length + 1;
	const others = except.map((folder) => escapeGlob(folder.slice(start))).join(",");
	return `!{${others},${SKIPPED},**/{${SKIPPED}}}/**/*`;
}

// ripgrep matches from its working folder, and the whole path outside of it. A slash at the end: folders only.
function grepGlob({ path, depth, except = [] }: Scope, prefix: string, names?: string): string {
	if (depth === "direct") {
		const folder = anchored(prefix + path);
		return names === undefined ? `!${folder}/*/` : `${folder}/${names}`;
	}
	if (names !== undefined) return names;
	if (except.length === 0) return `!**/{${SKIPPED}}/`;
	return `!{${except.map((folder) => anchored(prefix + folder).replace(/^\//, "")).join(",")},**/{${SKIPPED}}}/`;
}

function anchored(folder: string): string {
	const path = escapeGlob(folder.replace(/\/$/, ""));
	if (!path.startsWith("/")) return path === "" ? "" : `/${path}`;
	return `**/${path.split("/").slice(-2).filter(Boolean).join("/")}`;
}

function escapeGlob(path: string): string {
	return path.replaceAll(/[\\*?[\]{}!,]/g, "\\$&");
}

function shellQuoted(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}
