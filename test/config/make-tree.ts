// A folder with files for one test; removed when the test is over.

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates the files (a path that ends with / is an empty folder) and returns the folder's real path. */
export async function makeTree(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
	const root = await realpath(await mkdtemp(join(tmpdir(), "clowder-test-")));
	onTestFinished(() => rm(root, { recursive: true, force: true }));
	await writeTree(root, files);
	return root;
}

export async function writeTree(root: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
	for (const [name, content] of Object.entries(files)) {
		const path = join(root, name);
		await mkdir(name.endsWith("/") ? path : dirname(path), { recursive: true });
		if (!name.endsWith("/")) await writeFile(path, content);
	}
}
