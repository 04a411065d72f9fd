// The folders that state lives in, and the errors of a file system in words a person can act on.

import { createHash } from "node:crypto";
import { constants, statfsSync } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { getSystemErrorName } from "node:util";
import { ClowderError, isClowderError, messageOf } from "../errors.ts";
import { makeFolder } from "../lib/make-folder.ts";

/** Only the user may look into a state folder: transcripts hold whatever the agents have read. */
const PRIVATE = 0o700;

const REMEDIES: Readonly<Record<string, string>> = {
	EACCES: "Make the folder writable for this user, or name another state folder",
	EPERM: "Make the folder writable for this user, or name another state folder",
	EROFS: "Its disk is mounted read-only: name another state folder",
	EEXIST: "A file stands in the place of the folder: move it away, or name another state folder",
	ENOTDIR: "A file stands in the place of a folder on this path: move it away, or name another state folder",
	ENOSPC: "Free some space on its disk",
	EDQUOT: "Free some of this user's disk quota",
	EFBIG: "Raise the limit on the size of files (ulimit -f), or name another state folder",
	EMFILE: "Raise the limit on open files (ulimit -n)",
};

/**
 * The state folder of the project in `cwd`: `<home>/.clowder/projects/<name>-<hash>`, the same for every path
 * that leads to the same real folder. Creates nothing.
 */
export async function projectStateDir(homeDir: string, cwd: string): Promise<string> {
	const path = await realpath(cwd).catch(() => resolve(cwd));
	const slug = basename(path)
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-+|-+$/g, "")
		.slice(0, 40);
	const hash = createHash("sha256").update(path).digest("hex").slice(0, 12);
	return join(homeDir, ".clowder", "projects", `${slug || "root"}-${hash}`);
}

/**
 * Creates a folder that only its user may enter, with the folders above it, unless it exists.
 *
 * @throws ClowderError ERR_STATE_DIR when it cannot be created or written to.
 */
export async function makePrivateDir(path: string): Promise<void> {
	try {
		await makeFolder(path, PRIVATE);
		await access(path, constants.W_OK | constants.X_OK);
	} catch (thrown) {
		throw stateDirError(path, thrown);
	}
}

/** Below it, a failed write is one for want of room: LMDB tells some of those as plain I/O errors. */
const LITTLE_BYTES = 64 * 1024;

/** The error for a state folder or file that cannot be created, written or read; one that says it already stays. */
export function stateDirError(path: string, thrown: unknown): ClowderError {
	if (isClowderError(thrown)) return thrown;
	const code = systemCode(thrown);
	const free = freeBytes(path) ?? Number.POSITIVE_INFINITY;
	const isFull = free === 0 || code === "ENOSPC" || (code === "EIO" && free < LITTLE_BYTES);
	const reason = isFull ? "its disk is full" : messageOf(thrown);
	const remedy = REMEDIES[isFull ? "ENOSPC" : (code ?? "")];
	return new ClowderError("ERR_STATE_DIR", `State in ${path} cannot be used: ${reason}`, {
		remedy: remedy ?? "Check the folder, or name another state folder",
		details: { path, ...(code === undefined ? {} : { reason: code }) },
		cause: thrown,
	});
}

/** `EACCES` and the like; LMDB gives the bare number. */
function systemCode(thrown: unknown): string | undefined {
	const code = (thrown as { code?: unknown } | undefined)?.code;
	if (typeof code === "string") return code;
	return typeof code === "number" && Number.isInteger(code) && code > 0 ? getSystemErrorName(-code) : undefined;
}

/** Synchronous: the state's own errors come out of synchronous calls as well. */
function freeBytes(path: string): number | undefined {
	try {
		const { bavail, bsize } = statfsSync(path);
		return bavail * bsize;
	} catch {
		return undefined;
	}
}
