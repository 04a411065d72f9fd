// Opens a file to read, never blocking and never outside the workspace. A read that blocks (a FIFO, a device)
// could not be ended even by ending the thread, so the kind is checked before and after the open.

import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type ToolContext, ToolError } from "../definition.ts";
import { escapesWorkspace } from "../workspace.ts";
import { refusalOf, toFileError } from "./file-errors.ts";
import { landingOf } from "./landing.ts";
import { isInside, realPathOf } from "./real-path.ts";

export interface OpenFile {
	readonly handle: FileHandle;
	readonly realPath: string;
	readonly stats: Stats;
}

export type ReadPlaces = Pick<ToolContext, "workspace" | "outputDir">;

// Absent on Windows.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;

/** Resolves a path to read: inside the workspace, or among the saved outputs of this agent's own tools. */
export async function resolveForRead(places: ReadPlaces, path: string): Promise<string> {
	try {
		return await places.workspace.resolve(path);
	} catch (refused) {
		if (!isAbsolute(path)) throw refused;
		const [outputs, realPath] = await Promise.all([realPathOf(places.outputDir), realPathOf(path)]);
		if (isInside(outputs, realPath)) return realPath;
		throw refused;
	}
}

/**
 * Opens the regular file that `path` leads to. The caller closes the handle.
 *
 * @throws ToolError with the text for the model.
 */
export async function openRegular(places: ReadPlaces, path: string): Promise<OpenFile> {
	const realPath = await resolveForRead(places, path);
	try {
		refuseOthers(await lstat(realPath), path);
		const handle = await open(realPath, constants.O_RDONLY | NO_FOLLOW | NON_BLOCKING);
		try {
			const stats = await handle.stat();
			refuseOthers(stats, path);
			await checkLanding(places, handle, realPath, path);
			return { handle, realPath, stats };
		} catch (thrown) {
			await handle.close();
			throw thrown;
		}
	} catch (thrown) {
		throw toFileError(thrown, path, "read");
	}
}

function refuseOthers(stats: Stats, path: string): void {
	const refusal = refusalOf(stats, path);
	if (refusal) throw new ToolError(refusal);
}

// Race: O_NOFOLLOW guards the last part only; a folder on the way may have become a symlink since the check.
async function checkLanding(places: ReadPlaces, handle: FileHandle, realPath: string, path: string): Promise<void> {
	const landing = await landingOf(handle, realPath);
	if (landing === realPath) return;
	if (landing === undefined) throw escapesWorkspace(path);
	await resolveForRead(places, landing).catch(() => {
		throw escapesWorkspace(path);
	});
}
