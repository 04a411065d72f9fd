import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];

// Registered when a test file loads this: a hook registered inside a test would not run.
afterAll(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the file's tests. */
export function makeTempDir(): string {
	const folder = mkdtempSync(join(tmpdir(), "clowder-"));
	folders.push(folder);
	return folder;
}
