// A folder held open, so that entries are made in that very folder even if its path is swapped for a symlink.
// On Linux the entries are reached through the descriptor; elsewhere through the path, checked once more at the open.

import { constants } from "node:fs";
import { access, type FileHandle, mkdir, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf, EscapedError } from "./file-errors.ts";
import { DESCRIPTORS, landingOf } from "./landing.ts";

export interface FolderHandle {
	/** The folder's real path when it was opened. */
	readonly realPath: string;
	/** A path to one entry of this folder, for calls of `node:fs`. */
	entry(name: string): string;
	close(): Promise<void>;
}

const OPEN_FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the folder at a real path.
 *
 * @throws EscapedError when the path has come to lead elsewhere; Node's own errors for the rest.
 */
export async function openFolder(realPath: string): Promise<FolderHandle> {
	const handle = await open(realPath, OPEN_FOLDER);
	try {
		if ((await landingOf(handle, realPath)) !== realPath) throw new EscapedError(realPath);
		return await holdFolder(handle, realPath);
	} catch (thrown) {
		await handle.close();
		throw thrown;
	}
}

/** Opens the folder at a real path and makes it, and what is missing above it, first. */
export async function openOrCreateFolder(realPath: string): Promise<FolderHandle> {
	try {
		return await openFolder(realPath);
	} catch (thrown) {
		if (codeOf(thrown) !== "ENOENT" || dirname(realPath) === realPath) throw thrown;
	}
	const parent = await openOrCreateFolder(dirname(realPath));
	try {
		return await createChild(parent, basename(realPath));
	} finally {
		await parent.close();
	}
}

async function createChild(parent: FolderHandle, name: string): Promise<FolderHandle> {
	await mkdir(parent.entry(name)).catch((thrown: unknown) => {
		if (codeOf(thrown) !== "EEXIST") throw thrown;
	});
	const handle = await open(parent.entry(name), OPEN_FOLDER);
	return holdFolder(handle, join(parent.realPath, name));
}

async function holdFolder(handle: FileHandle, realPath: string): Promise<FolderHandle> {
	const base = `${DESCRIPTORS}/${handle.fd}`;
	const reachable = process.platform === "linux" && (await isReachable(base));
	return {
		realPath,
		entry: (name) => `${reachable ? base : realPath}/${name}`,
		close: () => handle.close(),
	};
}

function isReachable(path: string): Promise<boolean> {
	return access(path).then(
		() => true,
		() => false,
	);
}
