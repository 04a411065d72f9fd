// Where an open descriptor truly landed. Between the check of a path and its use another process may swap a
// folder for a symlink; the descriptor itself cannot be swapped.

import { type FileHandle, readlink, realpath, stat } from "node:fs/promises";

/** Linux names each open descriptor here; a path through it is as good as an `openat`. */
export const DESCRIPTORS = "/proc/self/fd";

/** The real path of an open file, or undefined where the system has no way to tell. */
export async function landingOf(handle: FileHandle, openedAs: string): Promise<string | undefined> {
	if (process.platform === "linux") {
		try {
			// The kernel marks a file that was replaced or removed since.
			return (await readlink(`${DESCRIPTORS}/${handle.fd}`)).replace(/ \(deleted\)$/, "");
		} catch {
			// No /proc in this container: as elsewhere.
		}
	}
	const real = await realpath(openedAs);
	const [now, opened] = await Promise.all([stat(real), handle.stat()]);
	return now.ino === opened.ino && now.dev === opened.dev ? real : undefined;
}
