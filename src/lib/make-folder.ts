// Makes folders where people say, step by step. Upstream: Node's own recursive mkdir never comes back from a place
// where nothing can be made although the folder above it is there, as in /proc (it asks for ever, at full speed).

import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder and what is missing above it; one that is there stays as it is.
 *
 * @throws an error with the system's code: EEXIST where something else stands in the place of the folder, ENOTDIR in
 * that of one above it, ENOENT where none can be made.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
	const missing: string[] = [];
	let folder = resolve(path);
	while (!(await exists(folder))) {
		missing.unshift(folder);
		folder = dirname(folder);
	}
	for (const each of missing) await makeOne(each, mode);
	if (missing.length === 0 && !(await stat(folder)).isDirectory()) await mkdir(folder);
}

async function exists(path: string): Promise<boolean> {
	try {
		await stat(path);
		return true;
	} catch (thrown) {
		if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return false;
		throw thrown;
	}
}

async function makeOne(path: string, mode: number | undefined): Promise<void> {
	try {
		await mkdir(path, mode);
	} catch (thrown) {
		const { code } = thrown as NodeJS.ErrnoException;
		if (code === "ENOENT") throw Object.assign(new Error(`no folder can be made in ${dirname(path)}`), { code });
		// Race: another process makes the same folders.
		if (code !== "EEXIST" || !(await isFolder(path))) throw thrown;
	}
}

async function isFolder(path: string): Promise<boolean> {
	return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
