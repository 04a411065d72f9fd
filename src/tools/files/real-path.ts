// Where a path truly leads: symlinks followed part by part as the kernel does (`..` after a symlink is the
// parent of its target), and on past what does not exist yet, dangling symlinks included.

import { readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { ToolError } from "../tool-error.ts";

// As Linux: more symlinks on one way are taken for a loop, and longer paths are refused.
const MAX_LINKS = 40;
const MAX_LENGTH = 4096;

/**
 * The real path that an absolute path stands for.
 *
 * @throws ToolError for a null byte, a symlink loop, or a path no file system takes.
 */
export async function realPathOf(absolutePath: string): Promise<string> {
	if (absolutePath.includes("\0")) throw new ToolError("Error: path contains a null byte");
	if (absolutePath.length > MAX_LENGTH) {
		throw new ToolError(`Error: path is too long (${absolutePath.length} characters)`);
	}
	// The common case in one call; what does not exist yet, or not wholly, is walked part by part.
	const whole = await realpath(absolutePath).catch(() => undefined);
	if (whole !== undefined) return whole;
	const { root } = parse(absolutePath);
	const pending = partsOf(absolutePath.slice(root.length));
	let current = root;
	let links = 0;
	for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
		if (part === "..") {
			// `current` holds no symlinks, so its lexical parent is its real one.
			current = dirname(current);
			continue;
		}
		const step = join(current, part);
		const target = await targetOf(step);
		if (target === undefined) {
			current = step;
			continue;
		}
		links += 1;
		if (links > MAX_LINKS) throw new ToolError(`Error: too many symbolic links in ${absolutePath}`);
		if (isAbsolute(target)) current = parse(target).root;
		pending.push(...partsOf(target));
	}
	return current;
}

/** Whether a real path is `folder` itself or lies in it. */
export function isInside(folder: string, realPath: string): boolean {
	if (realPath === folder) return true;
	return realPath.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The parts of a path, last one first. */
function partsOf(path: string): string[] {
	return path
		.split(sep)
		.filter((part) => part !== "" && part !== ".")
		.reverse();
}

// What cannot be read as a symlink (missing, no link, no permission) is taken as it stands: whoever opens it
// meets the same error there.
async function targetOf(path: string): Promise<string | undefined> {
	try {
		return await readlink(path);
	} catch {
		return undefined;
	}
}
