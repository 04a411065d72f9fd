// The texts for what file systems refuse, so that every tool says it the same way and names the path as the model wrote it.

import type { Stats } from "node:fs";
import { messageOf } from "../../errors.ts";
import { ToolError } from "../definition.ts";
import { escapesWorkspace } from "../workspace.ts";

/** The code on an error of `EscapedError`. */
const ESCAPED = "ERR_PATH_ESCAPES";

/** A path led somewhere else than when it was checked. */
export class EscapedError extends Error {
	override readonly name = "EscapedError";
	readonly code = ESCAPED;
}

/** The code of a Node error, or an empty text. */
export function codeOf(thrown: unknown): string {
	if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return "";
	return typeof thrown.code === "string" ? thrown.code : "";
}

/** What a failed file operation means to the model. A ToolError stays as it is. */
export function toFileError(thrown: unknown, path: string, verb: string): ToolError {
	if (thrown instanceof ToolError) return thrown;
	const code = codeOf(thrown);
	if (code === ESCAPED) return escapesWorkspace(path);
	return new ToolError(`Error: ${textOf(code, path) ?? `cannot ${verb} ${path}: ${messageOf(thrown)}`}`);
}

function textOf(code: string, path: string): string | undefined {
	switch (code) {
		case "ENOENT":
			return `file not found: ${path}`;
		case "EACCES":
		case "EPERM":
			return `permission denied: ${path}`;
		case "EISDIR":
			return `${path} is a folder, not a file`;
		case "ENOTDIR":
			return `a part of ${path} is a file, not a folder`;
		case "ELOOP":
			return `${path} is a symbolic link that changed while it was opened; try again`;
		case "ENAMETOOLONG":
			return `a name in ${path} is too long for the file system`;
		case "ENOSPC":
		case "EDQUOT":
			return `no space left to write ${path}; free some and try again`;
		case "EROFS":
			return `${path} is on a read-only file system`;
		case "EMFILE":
		case "ENFILE":
			return `too many open files to open ${path}; try again in a moment`;
		default:
			return undefined;
	}
}

/** Why something that is not a regular file is refused; undefined for a regular file. */
export function refusalOf(stats: Stats, path: string): string | undefined {
	if (stats.isFile()) return undefined;
	if (stats.isDirectory()) return `Error: ${path} is a folder, not a file; list it with glob`;
	if (stats.isFIFO()) return `Error: ${path} is a named pipe (FIFO), not a regular file`;
	if (stats.isSocket()) return `Error: ${path} is a socket, not a regular file`;
	if (stats.isCharacterDevice() || stats.isBlockDevice()) return `Error: ${path} is a device, not a regular file`;
	return `Error: ${path} is not a regular file`;
}

/** A size for people: `512 bytes`, `12.3 KB`, `1.0 GB`. */
export function formatSize(bytes: number): string {
	if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
	let value = bytes;
	let unit = "bytes";
	for (const next of ["KB", "MB", "GB", "TB"]) {
		if (value < 1024) break;
		value /= 1024;
		unit = next;
	}
	return `${value.toFixed(1)} ${unit}`;
}
