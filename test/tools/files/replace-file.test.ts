import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FolderHandle, openFolder, openOrCreateFolder } from "../../../src/tools/files/folder-handle.ts";
import { replaceFile, statEntry } from "../../../src/tools/files/replace-file.ts";
import { temporaryFolder } from "../support.ts";

let path: string;
let folder: FolderHandle;
beforeEach(async () => {
	path = await temporaryFolder();
	folder = await openFolder(path);
});
afterEach(() => folder.close());

const data = Buffer.from("new");

it("answers with the version that it wrote", async () => {
	const written = await replaceFile(folder, "a", data, undefined);
	const { mtimeMs, size } = await stat(join(path, "a"));
	expect(written).toEqual({ mtimeMs, size });
});

it("writes nothing when the file changed since it was looked at", async () => {
	await writeFile(join(path, "a"), "old");
	const before = await statEntry(folder, "a");
	await writeFile(join(path, "a"), "changed");
	expect(await replaceFile(folder, "a", data, before)).toBe("changed");
	expect(await readFile(join(path, "a"), "utf8")).toBe("changed");
	expect(await readdir(path)).toEqual(["a"]);
});

it("writes nothing when a file has come to be where there was none", async () => {
	await writeFile(join(path, "a"), "someone else's");
	expect(await replaceFile(folder, "a", data, undefined)).toBe("changed");
	expect(await readFile(join(path, "a"), "utf8")).toBe("someone else's");
});

it("writes nothing when the file is gone", async () => {
	await writeFile(join(path, "a"), "old");
	const before = await statEntry(folder, "a");
	expect(await replaceFile(folder, "b", data, before)).toBe("changed");
	expect(await readdir(path)).toEqual(["a"]);
});

it("opens no folder through a symlink", async () => {
	const other = await temporaryFolder();
	await symlink(other, join(path, "link"));
	await expect(openFolder(join(path, "link"))).rejects.toThrow();
	await expect(openOrCreateFolder(join(path, "link", "deeper"))).rejects.toThrow();
	expect(await readdir(other)).toEqual([]);
});
