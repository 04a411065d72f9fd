import { execFile } from "node:child_process";
import { chmod, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createFileCache } from "../../src/config/file-cache.ts";
import { makeTree } from "./make-tree.ts";

describe("createFileCache", () => {
	it("parses a file once per change", async () => {
		const root = await makeTree({ "a.txt": "one" });
		const path = join(root, "a.txt");
		let parses = 0;
		const parse = (text: string) => {
			parses += 1;
			return text.toUpperCase();
		};
		const files = createFileCache();
		expect(await files.read(path, parse)).toEqual({ kind: "read", value: "ONE" });
		expect(await files.read(path, parse)).toEqual({ kind: "read", value: "ONE" });
		expect(parses).toBe(1);
		await writeFile(path, "three");
		expect(await files.read(path, parse)).toEqual({ kind: "read", value: "THREE" });
		await writeFile(path, "seven");
		await utimes(path, new Date(1_000), new Date(2_000));
		expect(await files.read(path, parse)).toEqual({ kind: "read", value: "SEVEN" });
		expect(parses).toBe(3);
	});

	it("keeps what different parsers make of one file apart", async () => {
		const root = await makeTree({ "a.txt": "12" });
		const files = createFileCache();
		const path = join(root, "a.txt");
		expect(await files.read(path, Number)).toEqual({ kind: "read", value: 12 });
		expect(await files.read(path, String)).toEqual({ kind: "read", value: "12" });
	});

	it("forgets a file that is gone", async () => {
		const root = await makeTree({ "a.txt": "x" });
		const files = createFileCache();
		const path = join(root, "a.txt");
		await files.read(path, String);
		await rm(path);
		expect(await files.read(path, String)).toEqual({ kind: "missing" });
		expect(await files.read(join(root, "a.txt/b"), String)).toEqual({ kind: "missing" });
	});

	it("says why a file cannot be used", async () => {
		const root = await makeTree({ "bin.md": new Uint8Array([1, 0, 2]), "folder/": "", "locked.md": "x" });
		await symlink(join(root, "loop.md"), join(root, "loop.md"));
		await promisify(execFile)("mkfifo", [join(root, "pipe.md")]);
		const files = createFileCache();
		const reason = async (name: string) => files.read(join(root, name), String);
		expect(await reason("bin.md")).toEqual({ kind: "unreadable", reason: "it is not a text file" });
		expect(await reason("folder")).toEqual({ kind: "unreadable", reason: "it is not a regular file" });
		expect(await reason("pipe.md")).toEqual({ kind: "unreadable", reason: "it is not a regular file" });
		expect((await reason("loop.md")).kind).toBe("unreadable");
		await symlink(join(root, "nowhere"), join(root, "gone.md"));
		await symlink(join(root, "nowhere"), join(root, "gone"));
		for (const name of ["gone.md", "gone/settings.json"]) {
			expect(await reason(name)).toEqual({ kind: "unreadable", reason: "its symbolic link leads to nothing" });
		}
		await symlink(join(root, "folder"), join(root, "there"));
		expect(await reason("there/settings.json")).toEqual({ kind: "missing" });
		// The root user may read everything.
		if (process.getuid?.() === 0) return;
		await chmod(join(root, "locked.md"), 0o000);
		expect(await reason("locked.md")).toEqual({
			kind: "unreadable",
			reason: "it may not be read; check its permissions",
		});
	});

	it("reads UTF-16 with its byte order mark", async () => {
		const root = await makeTree({ "a.md": Buffer.from("\uFEFFhé", "utf16le") });
		expect(await createFileCache().read(join(root, "a.md"), String)).toEqual({ kind: "read", value: "hé" });
	});
});
