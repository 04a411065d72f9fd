// Where a path really leads. Works through the path as the kernel does (a link first, then its `..`), also for
// paths that do not exist yet. The one place of this room that looks at the disk.

import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { isAbsolute } from "node:path";

/** Linux takes no longer ones, nor does macOS. */
const MAX_PATH = 4_096;

/** What the engine needs to know of the disk; synchronous, because a decision is one step. */
export interface FileSystem {
	/** What is at this path itself (links are not followed); `special`: a device, pipe or socket, which can wait. */
	kindOf(path: string): "link" | "folder" | "file" | "special" | "missing";
	/** What the symbolic link at this path says; undefined when it has gone. */
	readLink(path: string): string | undefined;
	/** The names in this folder; empty when it is none. */
	list(path: string): readonly string[];
	/** What this file begins with; undefined when it is none. */
	firstLine(path: string): string | undefined;
	/** Takes some of what may be looked at in all; false when that is used up. @default no limit */
	spend?(names: number): boolean;
}

export const diskFileSystem: FileSystem = {
	kindOf(path) {
		try {
			const stats = lstatSync(path, { throwIfNoEntry: false });
			if (!stats) return "missing";
			if (stats.isSymbolicLink()) return "link";
			if (stats.isDirectory()) return "folder";
			return stats.isFile() ? "file" : "special";
		} catch {
			return "missing";
		}
	},
	readLink(path) {
		try {
			return readlinkSync(path);
		} catch {
			return undefined;
		}
	},
	list(path) {
		try {
			return readdirSync(path);
		} catch {
			return [];
		}
	},
	firstLine(path) {
		let file: number | undefined;
		try {
			file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
			const bytes = Buffer.alloc(MAX_PATH);
			return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0)).split("\n", 1)[0];
		} catch {
			return undefined;
		} finally {
			if (file !== undefined) closeSync(file);
		}
	},
};

const MAX_LINKS = 40;
const PROCESS_FOLDER = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(cwd|root)$/;

/** The real absolute path of `path`, seen from `cwd`, or undefined where links run in a circle or it is too long. */
export function realPathOf(path: string, cwd: string, files: FileSystem): string | undefined {
	if (path.length > MAX_PATH) return undefined;
	const waiting = (isAbsolute(path) ? path : `${cwd}/${path}`).split("/").reverse();
	let real = "";
	let links = 0;
	while (waiting.length > 0) {
		const part = waiting.pop();
		if (part === undefined || part === "" || part === ".") continue;
		if (part === "..") {
			real = real.slice(0, Math.max(0, real.lastIndexOf("/")));
			continue;
		}
		real = `${real}/${part}`;
		const target = linkTarget(real, cwd, files);
		if (target === undefined) continue;
		links += 1;
		if (links > MAX_LINKS) return undefined;
		real = isAbsolute(target) ? "" : real.slice(0, real.lastIndexOf("/"));
		waiting.push(...target.split("/").reverse());
	}
	return real === "" ? "/" : real;
}

function linkTarget(path: string, cwd: string, files: FileSystem): string | undefined {
	// The process that will read these is a child that runs in `cwd`, not this one.
	const process = PROCESS_FOLDER.exec(path);
	if (process) return process[1] === "cwd" ? cwd : "/";
	return files.kindOf(path) === "link" ? files.readLink(path) : undefined;
}
