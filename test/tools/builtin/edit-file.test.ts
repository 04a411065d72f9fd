import { chmod, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { editFileTool } from "../../../src/tools/builtin/edit-file.ts";
import { readFileTool } from "../../../src/tools/builtin/read-file.ts";
import { writeFileTool } from "../../../src/tools/builtin/write-file.ts";
import { call, createTestContext, makeFifo, type TestContext } from "../support.ts";

let context: TestContext;
beforeEach(async () => {
	context = await createTestContext();
});

const edit = (input: unknown) => call(editFileTool, input, context);
const at = (name: string) => join(context.root, name);
const content = (name: string) => readFile(at(name), "utf8");

it("replaces a text that occurs once", async () => {
	await writeFile(at("a.txt"), "one two three\n");
	expect(await edit({ path: "a.txt", old_text: "two", new_text: "2" })).toEqual({
		content: "Edited a.txt (1 replacement)",
		isError: false,
	});
	expect(await content("a.txt")).toBe("one 2 three\n");
});

it("says that the text is not there", async () => {
	await writeFile(at("a.txt"), "one\n");
	expect(await edit({ path: "a.txt", old_text: "two", new_text: "2" })).toEqual({
		content: "Error: text not found in a.txt",
		isError: true,
	});
});

it("says how often the text occurs when that is more than once, and changes nothing", async () => {
	await writeFile(at("a.txt"), "x x x\n");
	expect((await edit({ path: "a.txt", old_text: "x", new_text: "y" })).content).toBe(
		"Error: text occurs 3 times in a.txt; add lines around it to make it unique, or set replace_all",
	);
	expect(await content("a.txt")).toBe("x x x\n");
});

it("replaces every occurrence on request", async () => {
	await writeFile(at("a.txt"), "x x x\n");
	expect((await edit({ path: "a.txt", old_text: "x", new_text: "xx", replace_all: true })).content).toBe(
		"Edited a.txt (3 replacements)",
	);
	expect(await content("a.txt")).toBe("xx xx xx\n");
});

it("deletes a text", async () => {
	await writeFile(at("a.txt"), "keep drop\n");
	await edit({ path: "a.txt", old_text: " drop", new_text: "" });
	expect(await content("a.txt")).toBe("keep\n");
});

it("takes new text as it is, patterns of replacement included", async () => {
	await writeFile(at("a.txt"), "price");
	await edit({ path: "a.txt", old_text: "price", new_text: "$& $1 $$" });
	expect(await content("a.txt")).toBe("$& $1 $$");
});

describe("what it keeps", () => {
	it("keeps the permissions", async () => {
		await writeFile(at("run.sh"), "echo one\n");
		await chmod(at("run.sh"), 0o755);
		await edit({ path: "run.sh", old_text: "one", new_text: "two" });
		expect((await stat(at("run.sh"))).mode & 0o7777).toBe(0o755);
	});

	it("keeps CRLF where the edit comes with LF", async () => {
		await writeFile(at("a.txt"), "one\r\ntwo\r\nthree\r\n");
		await edit({ path: "a.txt", old_text: "one\ntwo", new_text: "1\n1.5\n2" });
		expect(await content("a.txt")).toBe("1\r\n1.5\r\n2\r\nthree\r\n");
	});

	it("writes CRLF into a CRLF file also where the old text had no line end", async () => {
		await writeFile(at("a.txt"), "one\r\ntwo\r\n");
		await edit({ path: "a.txt", old_text: "two", new_text: "two\nthree" });
		expect(await content("a.txt")).toBe("one\r\ntwo\r\nthree\r\n");
	});

	it("keeps LF where the edit comes with CRLF", async () => {
		await writeFile(at("a.txt"), "one\ntwo\n");
		await edit({ path: "a.txt", old_text: "one\r\ntwo", new_text: "1\r\n2" });
		expect(await content("a.txt")).toBe("1\n2\n");
	});

	it("finds LF text in the CRLF part of a mixed file", async () => {
		await writeFile(at("a.txt"), "one\ntwo\r\nthree\r\n");
		await edit({ path: "a.txt", old_text: "two\nthree", new_text: "2\n3" });
		expect(await content("a.txt")).toBe("one\n2\r\n3\r\n");
	});

	it("keeps a byte order mark", async () => {
		await writeFile(at("a.txt"), "\ufeffone\n");
		await edit({ path: "a.txt", old_text: "one", new_text: "two" });
		expect(await content("a.txt")).toBe("\ufefftwo\n");
	});

	it("keeps bytes that are not UTF-8", async () => {
		await writeFile(at("a.txt"), Buffer.from("caf\xe9 one\n", "latin1"));
		await edit({ path: "a.txt", old_text: "one", new_text: "two" });
		expect(await readFile(at("a.txt"), "latin1")).toBe("caf\xe9 two\n");
	});

	it("leaves only the file itself behind", async () => {
		await writeFile(at("a.txt"), "one");
		await edit({ path: "a.txt", old_text: "one", new_text: "two" });
		expect(await readdir(context.root)).toEqual(["a.txt"]);
	});
});

describe("refusals", () => {
	it("names missing fields in order", async () => {
		expect((await edit({})).content).toBe("Error: path is required");
		expect((await edit({ path: "a" })).content).toBe("Error: old_text is required");
		expect((await edit({ path: "a", old_text: "x" })).content).toBe("Error: new_text is required");
	});

	it("refuses an empty old text, and one that equals the new", async () => {
		await writeFile(at("a.txt"), "x");
		expect((await edit({ path: "a.txt", old_text: "", new_text: "y" })).content).toBe(
			"Error: old_text must not be empty; write a whole file with write_file",
		);
		expect((await edit({ path: "a.txt", old_text: "x", new_text: "x" })).content).toBe(
			"Error: old_text and new_text are the same",
		);
	});

	it("refuses what is missing, a folder, a FIFO, and a path that leads outside", async () => {
		await mkdir(at("dir"));
		await makeFifo(at("pipe"));
		await symlink(context.outside, at("out"));
		const texts = { old_text: "a", new_text: "b" };
		expect((await edit({ path: "none/x", ...texts })).content).toBe("Error: file not found: none/x");
		expect((await edit({ path: "none", ...texts })).content).toBe("Error: file not found: none");
		expect((await edit({ path: "dir", ...texts })).content).toBe(
			"Error: dir is a folder, not a file; list it with glob",
		);
		expect((await edit({ path: "pipe", ...texts })).content).toBe(
			"Error: pipe is a named pipe (FIFO), not a regular file",
		);
		expect((await edit({ path: "out/x", ...texts })).content).toBe("Error: path escapes workspace: out/x");
	});

	it("refuses a file too large to hold in memory", async () => {
		await writeFile(at("big"), "one");
		await truncate(at("big"), 1024 ** 3);
		expect((await edit({ path: "big", old_text: "one", new_text: "two" })).content).toBe(
			"Error: big has 1.0 GB; edit_file takes files up to 32.0 MB. Use bash",
		);
	});
});

describe("what the agent knows of the file afterwards", () => {
	const overwrite = () => call(writeFileTool, { path: "a.txt", content: "new" }, context);

	it("stays known where it was", async () => {
		await writeFile(at("a.txt"), "one");
		await call(readFileTool, { path: "a.txt" }, context);
		await edit({ path: "a.txt", old_text: "one", new_text: "two" });
		expect((await overwrite()).isError).toBe(false);
	});

	it("stays unknown where it was not read", async () => {
		await writeFile(at("a.txt"), "one and more");
		await edit({ path: "a.txt", old_text: "one", new_text: "two" });
		expect((await overwrite()).content).toMatch(/^Error: a.txt exists and has not been read/);
	});
});

it("loses none of twenty edits of one file at the same time", async () => {
	const lines = Array.from({ length: 20 }, (_, index) => `line <${index}>`);
	await writeFile(at("a.txt"), lines.join("\n"));
	const results = await Promise.all(
		lines.map((_, index) => edit({ path: "a.txt", old_text: `<${index}>`, new_text: `[${index}]` })),
	);
	expect(results.map(({ content }) => content)).toEqual(lines.map(() => "Edited a.txt (1 replacement)"));
	expect(await content("a.txt")).toBe(lines.map((_, index) => `line [${index}]`).join("\n"));
});
