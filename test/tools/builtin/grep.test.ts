import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeClock } from "../../../src/testing/fake-clock.ts";
import { grepTool } from "../../../src/tools/builtin/grep.ts";
import { isGroupAlive } from "../../../src/tools/process/process-group.ts";
import { call, createTestContext, makeFifo, type TestContext, until } from "../support.ts";

let context: TestContext;
beforeEach(async () => {
	context = await createTestContext();
});

async function file(name: string, content: string): Promise<void> {
	await mkdir(dirname(join(context.root, name)), { recursive: true });
	await writeFile(join(context.root, name), content);
}

const grep = (input: unknown) => call(grepTool, input, context);
const found = async (input: unknown) => (await grep(input)).content.split("\n");

describe("output", () => {
	beforeEach(async () => {
		await file("src/a.ts", "one\nneedle here\nthree\nNeedle there\n");
		await file("src/b.ts", "a needle and a needle\n");
		await file("readme.md", "needle\n");
	});

	it("shows matching lines with path and line number, in the order of the paths", async () => {
		expect(await found({ pattern: "needle" })).toEqual([
			"readme.md:1:needle",
			"src/a.ts:2:needle here",
			"src/b.ts:1:a needle and a needle",
		]);
	});

	it("shows the paths only", async () => {
		expect(await found({ pattern: "needle", output_mode: "files_with_matches" })).toEqual([
			"readme.md",
			"src/a.ts",
			"src/b.ts",
		]);
	});

	it("counts matches per file", async () => {
		expect(await found({ pattern: "needle", output_mode: "count" })).toEqual([
			"readme.md:1",
			"src/a.ts:1",
			"src/b.ts:2",
		]);
	});

	it("shows lines around a match", async () => {
		expect(await found({ pattern: "needle here", context: 1 })).toEqual([
			"src/a.ts-1-one",
			"src/a.ts:2:needle here",
			"src/a.ts-3-three",
		]);
	});

	it("takes capital and small letters as the same on request", async () => {
		expect(await found({ pattern: "NEEDLE there", ignore_case: true })).toEqual(["src/a.ts:4:Needle there"]);
	});

	it("searches one file, one folder, or the files of a glob", async () => {
		expect(await found({ pattern: "needle", path: "src/b.ts" })).toEqual(["src/b.ts:1:a needle and a needle"]);
		expect(await found({ pattern: "needle", path: "src", output_mode: "count" })).toEqual(["src/a.ts:1", "src/b.ts:2"]);
		expect(await found({ pattern: "needle", glob: "*.md" })).toEqual(["readme.md:1:needle"]);
		expect(await found({ pattern: "needle", glob: "src/**/b.*", output_mode: "count" })).toEqual(["src/b.ts:2"]);
		expect(await found({ pattern: "needle", glob: "!*.ts" })).toEqual(["readme.md:1:needle"]);
	});

	it("says that there is no match", async () => {
		expect(await grep({ pattern: "haystack" })).toEqual({ content: "(no matches)", isError: false });
	});

	it("stops at the limit and says so", async () => {
		expect(await found({ pattern: "needle", limit: 2 })).toEqual([
			"readme.md:1:needle",
			"src/a.ts:2:needle here",
			"... (more matches; raise limit or narrow the search)",
		]);
		expect(await found({ pattern: "needle", limit: 3 })).toHaveLength(3);
	});
});

describe("bounds", () => {
	it("cuts long lines", async () => {
		await file("min.js", `needle${"x".repeat(100_000)}\n`);
		const { content } = await grep({ pattern: "needle" });
		expect(content.length).toBeLessThan(700);
		expect(content.startsWith("min.js:1:needlexxx")).toBe(true);
	});

	it("stops after 50,000 characters and ends the search", async () => {
		await file("big.txt", `needle ${"y".repeat(300)}\n`.repeat(20_000));
		const { content } = await grep({ pattern: "needle", limit: 100_000 });
		expect(content.length).toBeLessThan(50_200);
		expect(content.endsWith("\n... (more matches, stopped after 50000 characters; narrow the search)")).toBe(true);
		await until(() => context.groups.size === 0);
	});
});

describe("patterns", () => {
	beforeEach(() => file("a.txt", "foo(bar)\nfoobar\nπ 文字 🐱\n--version\nend of\nline\n"));

	it("explains a pattern that is not valid", async () => {
		const { content, isError } = await grep({ pattern: "foo(" });
		expect(isError).toBe(true);
		expect(content).toMatch(/^Error: regex could not be compiled[\s\S]*unclosed group/);
	});

	it("explains a glob that is not valid", async () => {
		expect(await grep({ pattern: "foo", glob: "[" })).toMatchObject({
			isError: true,
			content: expect.stringMatching(/^Error: error parsing glob '\['/),
		});
	});

	it("understands look-around", async () => {
		expect(await found({ pattern: "(?<=foo)bar" })).toEqual(["a.txt:2:foobar"]);
	});

	it("understands patterns over several lines", async () => {
		expect(await found({ pattern: "end of\\nline" })).toEqual(["a.txt:5:end of", "a.txt:6:line"]);
	});

	it("finds unicode, and text that looks like an option", async () => {
		expect(await found({ pattern: "文.\\s🐱" })).toEqual(["a.txt:3:π 文字 🐱"]);
		expect(await found({ pattern: "--version" })).toEqual(["a.txt:4:--version"]);
	});

	it("names what is missing or wrong", async () => {
		expect((await grep({})).content).toBe("Error: pattern is required");
		expect((await grep({ pattern: "a", output_mode: "lines" })).content).toBe(
			"Error: output_mode must be one of: content, files_with_matches, count",
		);
	});
});

describe("where it searches", () => {
	it("leaves out ignored, binary and git's own files", async () => {
		await file(".gitignore", "dist\n*.log\n");
		await file("dist/a.ts", "needle");
		await file("b.log", "needle");
		await file(".git/c", "needle");
		await file("d.bin", "needle\0");
		await file(".hidden", "needle");
		expect(await found({ pattern: "needle", output_mode: "files_with_matches" })).toEqual([".hidden"]);
		expect(await found({ pattern: "needle", glob: "*.log" })).toEqual(["(no matches)"]);
	});

	it("never follows a symlink out", async () => {
		await writeFile(join(context.outside, "secret"), "needle");
		await symlink(context.outside, join(context.root, "out"));
		await symlink(join(context.outside, "secret"), join(context.root, "link"));
		expect(await found({ pattern: "needle" })).toEqual(["(no matches)"]);
		expect(await found({ pattern: "needle", path: "link" })).toEqual(["Error: path escapes workspace: link"]);
		expect(await found({ pattern: "needle", path: ".." })).toEqual(["Error: path escapes workspace: .."]);
	});

	it("refuses a FIFO instead of waiting for it, and skips one on the way", async () => {
		await makeFifo(join(context.root, "pipe"));
		await file("a.txt", "needle");
		expect(await found({ pattern: "needle", path: "pipe" })).toEqual([
			"Error: pipe is a named pipe (FIFO), not a regular file",
		]);
		expect(await found({ pattern: "needle" })).toEqual(["a.txt:1:needle"]);
	});

	it("searches saved outputs", async () => {
		const output = join(context.outputDir, "bash-1.txt");
		await writeFile(output, "x\nneedle\n");
		expect(await found({ pattern: "needle", path: output })).toEqual([`${output}:2:needle`]);
	});

	it("names a path that is missing", async () => {
		expect(await grep({ pattern: "x", path: "none" })).toEqual({
			content: "Error: file not found: none",
			isError: true,
		});
	});
});

describe("a search that takes too long", () => {
	const MATCH = `needle ${"文".repeat(150)}`;
	// 200 matches that do not fit into one chunk of output, and then what nobody waits for.
	beforeEach(async () => {
		await file("huge.log", `${MATCH}\n`.repeat(200));
		await truncate(join(context.root, "huge.log"), 100 * 1024 ** 3);
	});

	/** Stands still until the search begins, or until it shows more after its first chunk. */
	function stopAfter(ms: number, moment: "first chunk" | "start"): TestContext {
		const clock = createFakeClock();
		const { processes } = context;
		let chunks = 0;
		return {
			...context,
			clock,
			touch: () => {
				chunks += 1;
				if (moment === "first chunk" && chunks === 2) void clock.advance(ms);
			},
			processes: {
				...processes,
				add: (pid: number) => {
					processes.add(pid);
					if (moment === "start") setImmediate(() => void clock.advance(ms));
				},
			},
		};
	}

	it("ends after 0.8 s in one large file, keeps what was found, and names the way to the rest", async () => {
		context = stopAfter(800, "first chunk");
		const { content, isError } = await grep({ pattern: "needle", path: "huge.log" });
		const lines = content.split("\n");
		expect(lines[0]).toBe(`huge.log:1:${MATCH}`);
		expect(lines.at(-2)).toBe(`huge.log:${lines.length - 1}:${MATCH}`);
		expect(lines.at(-1)).toBe(
			"... (the search was ended after 0.8 s, before the end of 100.0 GB: there may be more matches; " +
				"raise timeout_ms or narrow the search)",
		);
		expect(isError).toBe(false);
		await until(() => context.groups.size === 0);
	});

	it("is not taken for one that found nothing", async () => {
		context = stopAfter(800, "start");
		expect(await grep({ pattern: "haystack", path: "huge.log" })).toEqual({
			content:
				"Error: the search was ended after 0.8 s, before the end of 100.0 GB, with no result so far; " +
				"raise timeout_ms, or narrow the pattern or the path",
			isError: true,
		});
	});

	it("has the time that the caller gives it", async () => {
		context = stopAfter(2_000, "first chunk");
		const lines = await found({ pattern: "needle", path: "huge.log", timeout_ms: 2_000 });
		expect(lines.at(-1)).toContain("ended after 2 s, before the end of 100.0 GB");
	});

	it("has a minute in anything else", async () => {
		await makeFifo(join(context.root, "pipe"));
		await file("a.txt", "x");
		// A search that never ends by itself: the pattern file is a FIFO that nobody writes to.
		context = stopAfter(60_000, "start");
		context = { ...context, workspace: { ...context.workspace, display: () => "--file=pipe" } };
		expect((await grep({ pattern: "x", path: "a.txt" })).content).toContain(
			"ended after 60 s, before the end of 1 byte",
		);
	});
});

it("is ended by an abort", async () => {
	await makeFifo(join(context.root, "pipe"));
	// A search that never ends by itself: the pattern file is a FIFO that nobody writes to.
	const never = { ...context, workspace: { ...context.workspace, display: () => "--file=pipe" } };
	await file("a.txt", "x");
	const running = call(grepTool, { pattern: "x", path: "a.txt" }, never);
	await until(() => context.recorded.length === 1);
	context.controller.abort();
	expect((await running).isError).toBe(true);
	await until(async () => !(await isGroupAlive(context.recorded[0] ?? 0)));
});

describe("what a rule hides", () => {
	beforeEach(async () => {
		await file("src/a.ts", "needle\n");
		await file("secrets/key.pem", "needle\n");
		await file(".env", "needle\n");
		const globs = ["/secrets/**", "/**/.env"];
		context = { ...context, hiddenFrom: async () => ({ globs, ignoreCase: false }) };
	});

	it("is not searched, whatever the model's own glob says", async () => {
		expect(await found({ pattern: "needle" })).toEqual(["src/a.ts:1:needle"]);
		expect((await grep({ pattern: "needle", glob: "secrets/**" })).content).toBe("(no matches)");
		expect((await grep({ pattern: "needle", glob: "*.pem" })).content).toBe("(no matches)");
		expect((await grep({ pattern: "needle", path: "secrets" })).content).toBe("(no matches)");
		expect((await grep({ pattern: "needle", output_mode: "files_with_matches" })).content).toBe("src/a.ts");
	});

	it("does not tell capital letters from small ones where the file system does not", async () => {
		await file("SECRETS/other.pem", "needle\n");
		context = { ...context, hiddenFrom: async () => ({ globs: ["/secrets/**", "/.env"], ignoreCase: true }) };
		expect(await found({ pattern: "needle" })).toEqual(["src/a.ts:1:needle"]);
	});

	it("is asked for the folder in which ripgrep runs", async () => {
		const folders: string[] = [];
		const added = join(context.outside, "added");
		await mkdir(added);
		await writeFile(join(added, "b.txt"), "needle\n");
		const { createWorkspace } = await import("../../../src/tools/workspace.ts");
		context = {
			...context,
			workspace: await createWorkspace({ cwd: context.root, additionalDirectories: [added] }),
			hiddenFrom: async (folder) => {
				folders.push(folder);
				return { globs: folder === added ? ["/b.txt"] : [], ignoreCase: false };
			},
		};
		expect((await grep({ pattern: "needle", path: added })).content).toBe("(no matches)");
		expect(await found({ pattern: "needle", path: "src" })).toEqual(["src/a.ts:1:needle"]);
		expect(folders).toEqual([added, context.root]);
	});
});
