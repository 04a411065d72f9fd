// Puts new content in a file's place in one step: a temporary file in the same folder, then a rename. A reader
// sees the old content or the new one, and a crash leaves one of the two.

import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import type { FileVersion } from "../read-tracker.ts";
import { codeOf } from "./file-errors.ts";
import type { FolderHandle } from "./folder-handle.ts";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The entry as it stands (a symlink is not followed); undefined where there is none. */
export async function statEntry(folder: FolderHandle, name: string): Promise<Stats | undefined> {
	try {
		return await lstat(folder.entry(name));
	} catch (thrown) {
		if (codeOf(thrown) === "ENOENT") return undefined;
		throw thrown;
	}
}

/**
 * Writes `data` as the entry `name`; permissions and owner stay those of `before`.
 *
 * @param before the entry when the caller decided; undefined: there was none.
 * @returns the version written, or `changed` (and nothing is written) when the entry is no longer `before`.
 */
export async function replaceFile(
	folder: FolderHandle,
	name: string,
	data: Uint8Array,
	before: Stats | undefined,
): Promise<FileVersion | "changed"> {
	const temporary = folder.entry(`.clowder-${randomUUID().slice(0, 13)}.tmp`);
	const handle = await open(temporary, CREATE, 0o666);
	try {
		const written = await fill(handle, data, before);
		if (!isSame(before, await statEntry(folder, name))) {
			await unlink(temporary);
			return "changed";
		}
		await rename(temporary, folder.entry(name));
		return written;
	} catch (thrown) {
		await unlink(temporary).catch(() => {});
		throw thrown;
	}
}

async function fill(handle: FileHandle, data: Uint8Array, before: Stats | undefined): Promise<FileVersion> {
	try {
		if (before) await keepOwnership(handle, before);
		await handle.writeFile(data);
		const { mtimeMs, size } = await handle.stat();
		return { mtimeMs, size };
	} finally {
		await handle.close();
	}
}

// Order: the owner first, since a change of owner clears the set-id bits.
async function keepOwnership(handle: FileHandle, before: Stats): Promise<void> {
	const fresh = await handle.stat();
	if (fresh.uid !== before.uid || fresh.gid !== before.gid) {
		// Only root may give a file away; for everyone else the file becomes their own.
		await handle.chown(before.uid, before.gid).catch(() => {});
	}
	await handle.chmod(before.mode & 0o7777);
}

function isSame(before: Stats | undefined, now: Stats | undefined): boolean {
	if (!before || !now) return before === now;
	return before.ino === now.ino && before.mtimeMs === now.mtimeMs && before.size === now.size;
}
