// Finds files below a folder. Symbolic links are followed (people link their dotfiles), each real folder once,
// so that a link to a parent ends.

import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigFault } from "./fault.ts";

export interface FileList {
	/** Absolute, in a fixed order: a folder's files by name, then its subfolders. */
	readonly paths: readonly string[];
	readonly faults: readonly ConfigFault[];
}

const MAX_DEPTH = 12;
const MAX_FILES = 2_000;

/** Every `.md` file below `folder`, that of installed packages left out; none when it does not exist. */
export async function listMarkdownFiles(folder: string): Promise<FileList> {
	const paths: string[] = [];
	const faults: ConfigFault[] = [];
	const seen = new Set<string>();

	async function visit(path: string, depth: number): Promise<void> {
		const real = await realpath(path).catch(() => undefined);
		if (real === undefined || seen.has(real) || paths.length > MAX_FILES) return;
		seen.add(real);
		const entries = await entriesOf(path, faults);
		for (const file of entries.files) {
			if (!file.toLowerCase().endsWith(".md")) continue;
			paths.push(join(path, file));
		}
		if (depth >= MAX_DEPTH) return;
		// Packages bring their own README files by the hundred.
		const own = entries.folders.filter((name) => name !== "node_modules");
		for (const name of own) await visit(join(path, name), depth + 1);
	}

	await visit(folder, 0);
	if (paths.length <= MAX_FILES) return { paths, faults };
	faults.push({ path: folder, reason: `it holds more than ${MAX_FILES} files; the rest is not read` });
	return { paths: paths.slice(0, MAX_FILES), faults };
}

/** The folders directly inside `folder`, links to folders included, by name. */
export async function listFolders(folder: string): Promise<FileList> {
	const faults: ConfigFault[] = [];
	const { folders } = await entriesOf(folder, faults);
	return { paths: folders.map((name) => join(folder, name)), faults };
}

async function entriesOf(path: string, faults: ConfigFault[]): Promise<{ files: string[]; folders: string[] }> {
	const files: string[] = [];
	const folders: string[] = [];
	let entries: Dirent[] = [];
	try {
		entries = await readdir(path, { withFileTypes: true });
	} catch (thrown) {
		const code = (thrown as NodeJS.ErrnoException).code ?? String(thrown);
		if (code !== "ENOENT" && code !== "ENOTDIR") faults.push({ path, reason: `the folder cannot be read (${code})` });
	}
	for (const entry of entries) {
		const kind = entry.isSymbolicLink() ? await stat(join(path, entry.name)).catch(() => undefined) : entry;
		if (kind === undefined && entry.name.toLowerCase().endsWith(".md")) {
			faults.push({ path: join(path, entry.name), reason: "its symbolic link leads nowhere" });
		}
		if (kind?.isFile()) files.push(entry.name);
		else if (kind?.isDirectory()) folders.push(entry.name);
	}
	return { files: files.sort(), folders: folders.sort() };
}
