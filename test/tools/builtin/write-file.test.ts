import { chmod, lstat, mkdir, readdir, readFile, rename, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readFileTool } from "../../../src/tools/builtin/read-file.ts";
import { writeFileTool } from "../../../src/tools/builtin/write-file.ts";
import { call, createTestContext, makeFifo, type TestContext } from "../support.ts";

let context: TestContext;
beforeEach(async () => {
	context = await createTestContext();
});

const write = (input: unknown) => call(writeFileTool, input, context);
const at = (name: string) => join(context.root, name);
const content = (name: string) => readFile(at(name), "utf8");

it("writes a new file and answers with its real bytes", async () => {
	expect(await write({ path: "ü.txt", content: "né🐱\n" })).toEqual({
		content: "Wrote 8 bytes to ü.txt",
		isError: false,
	});
	expect(await content("ü.txt")).toBe("né🐱\n");
});

it("writes an empty file", async () => {
	expect((await write({ path: "empty", content: "" })).content).toBe("Wrote 0 bytes to empty");
	expect(await content("empty")).toBe("");
});

it("creates missing folders", async () => {
	await write({ path: "a/b/c/d.txt", content: "x" });
	expect(await content("a/b/c/d.txt")).toBe("x");
});

it("leaves nothing but the file behind", async () => {
	await write({ path: "a.txt", content: "x" });
	await write({ path: "a.txt", content: "y" });
	expect(await readdir(context.root)).toEqual(["a.txt"]);
});

it("names missing and wrong fields", async () => {
	expect((await write({})).content).toBe("Error: path is required");
	expect((await write({ path: "a" })).content).toBe("Error: content is required");
	expect((await write({ path: "a", content: { a: 1 } })).content).toBe("Error: content must be a string");
});

describe("the guard against lost changes", () => {
	it("refuses to replace a file that was not read", async () => {
		await writeFile(at("a.txt"), "precious");
		expect(await write({ path: "a.txt", content: "x" })).toEqual({
			content: "Error: a.txt exists and has not been read; read it before writing over it",
			isError: true,
		});
		expect(await content("a.txt")).toBe("precious");
	});

	it("replaces a file that was read, and then its own version", async () => {
		await writeFile(at("a.txt"), "old");
		await call(readFileTool, { path: "a.txt" }, context);
		expect((await write({ path: "a.txt", content: "new" })).content).toBe("Wrote 3 bytes to a.txt");
		expect((await write({ path: "a.txt", content: "newer" })).content).toBe("Wrote 5 bytes to a.txt");
		expect(await content("a.txt")).toBe("newer");
	});

	it("refuses a file that changed since it was read", async () => {
		await writeFile(at("a.txt"), "old");
		await call(readFileTool, { path: "a.txt" }, context);
		await writeFile(at("a.txt"), "by someone else");
		expect((await write({ path: "a.txt", content: "x" })).content).toBe(
			"Error: a.txt has changed since it was read; read it again before writing over it",
		);
		expect(await content("a.txt")).toBe("by someone else");
	});

	it("sees a change that left the size as it was", async () => {
		await writeFile(at("a.txt"), "old");
		await call(readFileTool, { path: "a.txt" }, context);
		await utimes(at("a.txt"), 1, 1);
		expect((await write({ path: "a.txt", content: "x" })).content).toMatch(/has changed since it was read/);
	});

	it("fills an empty file without that", async () => {
		await writeFile(at("a.txt"), "");
		expect((await write({ path: "a.txt", content: "x" })).isError).toBe(false);
	});
});

describe("what it keeps", () => {
	it("keeps the permissions of a file", async () => {
		await writeFile(at("run.sh"), "#!/bin/sh\n");
		await chmod(at("run.sh"), 0o751);
		await call(readFileTool, { path: "run.sh" }, context);
		await write({ path: "run.sh", content: "#!/bin/sh\necho hi\n" });
		expect((await stat(at("run.sh"))).mode & 0o7777).toBe(0o751);
	});

	it("writes through a symlink inside the workspace and leaves the link", async () => {
		await mkdir(at("real"));
		await symlink("real/a.txt", at("link"));
		await write({ path: "link", content: "x" });
		expect((await lstat(at("link"))).isSymbolicLink()).toBe(true);
		expect(await content("real/a.txt")).toBe("x");
	});
});

describe("refusals", () => {
	it("refuses a folder, the workspace itself, and a path through a file", async () => {
		await mkdir(at("dir"));
		await writeFile(at("file"), "x");
		expect((await write({ path: "dir", content: "x" })).content).toBe(
			"Error: dir is a folder, not a file; list it with glob",
		);
		expect((await write({ path: ".", content: "x" })).content).toBe("Error: . is a folder, not a file");
		expect((await write({ path: "file/x", content: "x" })).content).toBe(
			"Error: a part of file/x is a file, not a folder",
		);
	});

	it("refuses a FIFO", async () => {
		await makeFifo(at("pipe"));
		expect((await write({ path: "pipe", content: "x" })).content).toBe(
			"Error: pipe is a named pipe (FIFO), not a regular file",
		);
	});

	it("refuses a name the file system does not take", async () => {
		expect((await write({ path: "x".repeat(300), content: "x" })).content).toMatch(
			/^Error: a name in x+ is too long for the file system$/,
		);
	});

	it.each(["../outside/new", "out/new", "out/deep/new", "dangling"])("refuses to write to %s", async (path) => {
		await symlink(context.outside, at("out"));
		await symlink(join(context.outside, "new"), at("dangling"));
		expect(await write({ path, content: "x" })).toEqual({
			content: `Error: path escapes workspace: ${path}`,
			isError: true,
		});
		expect(await readdir(context.outside)).toEqual([]);
	});
});

describe("a symlink swapped in between the check and the write", () => {
	/** A workspace that lets `swap` happen right after the path was found to be inside. */
	const swappingAfterCheck = (swap: () => Promise<void>): TestContext => {
		const { workspace } = context;
		const resolve = async (path: string) => {
			const realPath = await workspace.resolve(path);
			await swap();
			return realPath;
		};
		return { ...context, workspace: { ...workspace, resolve } };
	};

	it("does not lead outside where it is the folder", async () => {
		await mkdir(at("dir"));
		const swapped = swappingAfterCheck(async () => {
			await rename(at("dir"), at("old"));
			await symlink(context.outside, at("dir"));
		});
		const result = await call(writeFileTool, { path: "dir/new.txt", content: "x" }, swapped);
		expect(result.isError).toBe(true);
		expect(await readdir(context.outside)).toEqual([]);
	});

	it("does not lead outside where it is a folder further up", async () => {
		await mkdir(at("top/dir"), { recursive: true });
		await mkdir(join(context.outside, "dir"));
		const swapped = swappingAfterCheck(async () => {
			await rename(at("top"), at("old"));
			await symlink(context.outside, at("top"));
		});
		const result = await call(writeFileTool, { path: "top/dir/new.txt", content: "x" }, swapped);
		expect(result).toEqual({ content: "Error: path escapes workspace: top/dir/new.txt", isError: true });
		expect(await readdir(join(context.outside, "dir"))).toEqual([]);
	});

	it("does not lead outside where the folder was still to be made", async () => {
		const swapped = swappingAfterCheck(() => symlink(context.outside, at("new-folder")));
		const result = await call(writeFileTool, { path: "new-folder/new.txt", content: "x" }, swapped);
		expect(result.isError).toBe(true);
		expect(await readdir(context.outside)).toEqual([]);
	});

	it("is refused where it is the file", async () => {
		await writeFile(join(context.outside, "target"), "outside");
		const swapped = swappingAfterCheck(() => symlink(join(context.outside, "target"), at("new.txt")));
		const result = await call(writeFileTool, { path: "new.txt", content: "x" }, swapped);
		expect(result).toEqual({ content: "Error: new.txt is not a regular file", isError: true });
		expect(await readFile(join(context.outside, "target"), "utf8")).toBe("outside");
	});
});

it("lets one of several first writers win and tells the others", async () => {
	const results = await Promise.all(
		Array.from({ length: 8 }, (_, index) => {
			const other = { ...context, reads: { note: () => {}, check: () => "unread" as const } };
			return call(writeFileTool, { path: "race.txt", content: `writer ${index}` }, other);
		}),
	);
	expect(results.filter(({ isError }) => !isError)).toHaveLength(1);
	expect(await content("race.txt")).toMatch(/^writer \d$/);
});
