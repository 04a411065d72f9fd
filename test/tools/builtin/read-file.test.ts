import { appendFile, mkdir, open, rename, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readFileTool } from "../../../src/tools/builtin/read-file.ts";
import { createWorkspace } from "../../../src/tools/workspace.ts";
import { call, createTestContext, makeFifo, type TestContext } from "../support.ts";

let context: TestContext;
beforeEach(async () => {
	context = await createTestContext();
});

const read = (input: unknown) => call(readFileTool, input, context);
const write = (name: string, content: string | Uint8Array) => writeFile(join(context.root, name), content);
const numbered = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join("\n");

describe("text", () => {
	it("returns the lines without numbers and without the last line's end", async () => {
		await write("a.txt", "one\n  two\nthree\n");
		expect(await read({ path: "a.txt" })).toEqual({ content: "one\n  two\nthree", isError: false });
	});

	it("reads unicode, a byte order mark and CRLF as plain text", async () => {
		await write("ü-文件-🐱.txt", "\ufeffπ 文字\r\n🐱\r\n");
		expect((await read({ path: "ü-文件-🐱.txt" })).content).toBe("π 文字\n🐱");
	});

	it("says that a file is empty", async () => {
		await write("empty", "");
		expect(await read({ path: "empty" })).toEqual({ content: "(file is empty)", isError: false });
	});

	it("ends clipped output with the number of lines left out", async () => {
		await write("a.txt", `${numbered(1, 10)}\n`);
		expect((await read({ path: "a.txt", limit: 3 })).content).toBe("line 1\nline 2\nline 3\n... (7 more lines)");
	});

	it("starts at the offset, counted from 1", async () => {
		await write("a.txt", numbered(1, 10));
		expect((await read({ path: "a.txt", offset: 4, limit: 2 })).content).toBe("line 4\nline 5\n... (5 more lines)");
		expect((await read({ path: "a.txt", offset: 10 })).content).toBe("line 10");
		expect((await read({ path: "a.txt", offset: 0, limit: 1 })).content).toBe("line 1\n... (9 more lines)");
	});

	it("takes numbers in quotes and null for what is left out", async () => {
		await write("a.txt", numbered(1, 3));
		expect((await read({ path: "a.txt", offset: "2", limit: null, unknown_key: 1 })).content).toBe("line 2\nline 3");
	});

	it("stops after 2,000 lines by itself and says where to go on", async () => {
		await write("a.txt", `${numbered(1, 2005)}\n`);
		const { content } = await read({ path: "a.txt" });
		expect(content.split("\n").slice(1999)).toEqual([
			"line 2000",
			"[stopped after 2000 lines; go on with offset 2001]",
			"... (5 more lines)",
		]);
		expect((await read({ path: "a.txt", offset: 2001 })).content).toBe(numbered(2001, 2005));
	});

	it("stops after 256 KB at a line's end", async () => {
		await write("a.txt", `${"x".repeat(99_999)}\n`.repeat(4));
		const { content } = await read({ path: "a.txt", limit: 4 });
		expect(content.split("\n").map((line) => line.length > 90_000 || line)).toEqual([
			true,
			true,
			"[stopped after 256 KB; go on with offset 3]",
			"... (2 more lines)",
		]);
	});

	it("cuts a single line over 256 KB between two characters", async () => {
		await write("a.txt", `${"é".repeat(200_000)}\nnext\n`);
		const { content } = await read({ path: "a.txt" });
		expect(content.slice(0, 131_072)).toBe("é".repeat(131_072));
		expect(content.slice(131_072)).toBe(
			"\n[line 1 is longer than 256 KB and was cut; use bash to see the rest of it]\n... (1 more lines)",
		);
	});

	it("shows bytes that are not UTF-8 as replacement characters", async () => {
		await write("latin1.txt", Buffer.from("caf\xe9\n", "latin1"));
		expect((await read({ path: "latin1.txt" })).content).toBe("caf\ufffd");
	});
});

describe("a file of 1 GB", () => {
	it("answers without reading it to the end", async () => {
		const path = join(context.root, "big.log");
		await writeFile(path, `${numbered(1, 5000)}\n`);
		await truncate(path, 1024 ** 3);
		let touches = 0;
		const { content } = await call(readFileTool, { path: "big.log" }, { ...context, touch: () => void touches++ });
		expect(content.split("\n").slice(1999)).toEqual([
			"line 2000",
			"[stopped after 2000 lines; go on with offset 2001]",
			"... (more lines, not counted: big.log has 1.0 GB; grep finds the right ones)",
		]);
		expect(touches).toBe(1);
	});

	it("says how far it looked for a deep line when that takes too long, and how to go on", async () => {
		const path = join(context.root, "it's big.log");
		await writeFile(path, "0123456789abcde\n".repeat(200_000));
		let nowMs = 0;
		const monotonicMs = () => {
			nowMs += 300;
			return nowMs;
		};
		const clock = { ...context.clock, monotonicMs };
		const slow = { ...context, clock };
		expect(await call(readFileTool, { path: "it's big.log", offset: 199_000, limit: 5 }, slow)).toEqual({
			content: [
				"Error: line 199000 of it's big.log lies too deep to be found in time (passed: 196608 lines, 3.0 MB of 3.1 MB).",
				"bash takes the time it needs: sed -n '199000,199004p;199004q' 'it'\\''s big.log'. grep finds lines by what is on them.",
			].join("\n"),
			isError: true,
		});
		expect((await call(readFileTool, { path: "it's big.log", offset: 60_000, limit: 1 }, slow)).content).toMatch(
			/^0123456789abcde\n/,
		);
		expect((await read({ path: "it's big.log", offset: 199_999 })).content).toBe("0123456789abcde\n0123456789abcde");
	});

	it("is refused as binary after its first bytes", async () => {
		const path = join(context.root, "sparse");
		await (await open(path, "w")).close();
		await truncate(path, 1024 ** 3);
		expect(await read({ path: "sparse" })).toEqual({
			content: "Error: sparse is a binary file (1.0 GB); read_file shows text only",
			isError: true,
		});
	});
});

describe("refusals", () => {
	it("names a missing or wrong field", async () => {
		expect((await read({})).content).toBe("Error: path is required");
		expect((await read({ path: "" })).content).toBe("Error: path is required");
		expect((await read({ path: 3 })).content).toBe("Error: path must be a string");
		expect((await read("a.txt")).content).toBe("Error: the input must be an object");
		expect((await read({ path: "a", limit: 0 })).content).toMatch(/^Error: limit must be a whole number from 1 to /);
		expect((await read({ path: "a", offset: -1 })).content).toMatch(/^Error: offset must be a whole number from 0 to /);
	});

	it("names a missing file", async () => {
		expect(await read({ path: "no/such.txt" })).toEqual({
			content: "Error: file not found: no/such.txt",
			isError: true,
		});
	});

	it("refuses a folder, and a path through a file", async () => {
		await mkdir(join(context.root, "dir"));
		await write("file", "x");
		expect((await read({ path: "dir" })).content).toBe("Error: dir is a folder, not a file; list it with glob");
		expect((await read({ path: "file/x" })).content).toBe("Error: a part of file/x is a file, not a folder");
	});

	it("refuses binary files with their size", async () => {
		await write("logo.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
		expect((await read({ path: "logo.png" })).content).toBe(
			"Error: logo.png is a binary file (8 bytes); read_file shows text only",
		);
	});

	it("refuses a file that turns binary further on", async () => {
		await write("late.bin", `${"text\n".repeat(3000)}\0`);
		expect((await read({ path: "late.bin", limit: 5000 })).content).toMatch(/^Error: late.bin is a binary file/);
	});

	it("says how many lines there are when the offset is past the end", async () => {
		await write("a.txt", numbered(1, 3));
		expect((await read({ path: "a.txt", offset: 4 })).content).toBe(
			"Error: offset 4 is past the end of a.txt (3 lines)",
		);
	});

	it("refuses a FIFO that nobody writes to, at once", async () => {
		await makeFifo(join(context.root, "pipe"));
		expect((await read({ path: "pipe" })).content).toBe("Error: pipe is a named pipe (FIFO), not a regular file");
	});

	it("refuses a socket", async () => {
		const server = createServer().listen(join(context.root, "sock"));
		await new Promise((resolve) => server.once("listening", resolve));
		expect((await read({ path: "sock" })).content).toBe("Error: sock is a socket, not a regular file");
		await new Promise((resolve) => server.close(resolve));
	});

	it("refuses a device", async () => {
		context = { ...context, workspace: await createWorkspace({ cwd: context.root, additionalDirectories: ["/dev"] }) };
		expect((await read({ path: "/dev/zero" })).content).toBe("Error: /dev/zero is a device, not a regular file");
	});

	it("refuses what lies outside the workspace", async () => {
		await writeFile(join(context.outside, "secret"), "s");
		await symlink(join(context.outside, "secret"), join(context.root, "link"));
		expect((await read({ path: "link" })).content).toBe("Error: path escapes workspace: link");
		expect((await read({ path: "../outside/secret" })).content).toBe(
			"Error: path escapes workspace: ../outside/secret",
		);
	});

	it("stops when the call is aborted", async () => {
		await write("a.txt", "x");
		context.controller.abort(new Error("stop"));
		expect((await read({ path: "a.txt" })).isError).toBe(true);
	});
});

it("reads saved outputs outside the workspace, and nothing beside them", async () => {
	await writeFile(join(context.outputDir, "bash-1.txt"), "whole output\n");
	expect((await read({ path: join(context.outputDir, "bash-1.txt") })).content).toBe("whole output");
	const beside = join(context.outputDir, "..", "outside", "secret");
	await writeFile(join(context.outside, "secret"), "s");
	expect((await read({ path: beside })).content).toBe(`Error: path escapes workspace: ${beside}`);
});

it("notes the version it read, so that a later change is seen", async () => {
	await write("a.txt", "one");
	await read({ path: "a.txt" });
	const file = await open(join(context.root, "a.txt"));
	const stats = await file.stat();
	await file.close();
	expect(context.reads.check(join(context.root, "a.txt"), stats)).toBe("current");
	await appendFile(join(context.root, "a.txt"), "two");
	expect(context.reads.check(join(context.root, "a.txt"), { ...stats, size: 6 })).toBe("changed");
});

it("does not follow a folder that becomes a symlink between the check and the open", async () => {
	await mkdir(join(context.root, "dir"));
	await write("dir/a.txt", "inside");
	await writeFile(join(context.outside, "a.txt"), "outside");
	const { workspace } = context;
	const swapping = {
		...workspace,
		resolve: async (path: string) => {
			const realPath = await workspace.resolve(path);
			if (path !== "dir/a.txt") return realPath;
			await rename(join(context.root, "dir"), join(context.root, "old"));
			await symlink(context.outside, join(context.root, "dir"));
			return realPath;
		},
	};
	const result = await call(readFileTool, { path: "dir/a.txt" }, { ...context, workspace: swapping });
	expect(result).toEqual({ content: "Error: path escapes workspace: dir/a.txt", isError: true });
});
