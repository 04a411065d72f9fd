import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { globTool } from "../../../src/tools/builtin/glob.ts";
import { createWorkspace } from "../../../src/tools/workspace.ts";
import { call, createTestContext, type TestContext, until } from "../support.ts";

let context: TestContext;
beforeEach(async () => {
	context = await createTestContext();
});

/** Writes files, the first one oldest. */
async function files(names: readonly string[], folder = context.root): Promise<void> {
	for (const [index, name] of names.entries()) {
		await mkdir(dirname(join(folder, name)), { recursive: true });
		await writeFile(join(folder, name), "");
		await utimes(join(folder, name), 1_000 + index, 1_000 + index);
	}
}

const glob = (input: unknown) => call(globTool, input, context);
const found = async (input: unknown) => (await glob(input)).content.split("\n");

describe("matching", () => {
	it("lists newest first, relative to the working folder", async () => {
		await files(["src/old.ts", "src/deep/mid.ts", "new.ts", "src/other.js"]);
		expect(await found({ pattern: "**/*.ts" })).toEqual(["new.ts", "src/deep/mid.ts", "src/old.ts"]);
	});

	it("matches a pattern without a slash in the top folder only", async () => {
		await files(["src/a.ts", "b.ts"]);
		expect(await found({ pattern: "*.ts" })).toEqual(["b.ts"]);
	});

	it("understands braces, classes and hidden files", async () => {
		await files(["a.ts", "b.tsx", "c.js", ".github/w.yml", "d1.md", "d2.md"]);
		expect(await found({ pattern: "*.{ts,tsx}" })).toEqual(["b.tsx", "a.ts"]);
		expect(await found({ pattern: "d[2-9].md" })).toEqual(["d2.md"]);
		expect(await found({ pattern: "**/*.yml" })).toEqual([".github/w.yml"]);
	});

	it("takes odd names as they are", async () => {
		await files(["文件 🐱/ü b.ts", "-dash.ts", "new\nline.ts"]);
		expect((await glob({ pattern: "**/*.ts" })).content).toBe("new\nline.ts\n-dash.ts\n文件 🐱/ü b.ts");
	});

	it("says that nothing matches", async () => {
		await files(["a.ts"]);
		expect(await glob({ pattern: "*.none" })).toEqual({ content: "(no matches)", isError: false });
	});

	it("says so also in an empty folder", async () => {
		expect(await glob({ pattern: "**" })).toEqual({ content: "(no matches)", isError: false });
	});

	it("lists at most 250 and says how many more there are", async () => {
		await files(Array.from({ length: 253 }, (_, index) => `f${index}.txt`));
		const lines = await found({ pattern: "*.txt" });
		expect(lines).toHaveLength(251);
		expect(lines[0]).toBe("f252.txt");
		expect(lines[250]).toBe("... (3 more files; narrow the pattern or the path)");
	});
});

describe("ignored files", () => {
	it("leaves out what .gitignore names, without a repository too", async () => {
		await files(["a.log", "dist/b.ts", "src/c.ts", "node_modules/x/d.ts"]);
		await writeFile(join(context.root, ".gitignore"), "*.log\ndist/\nnode_modules\n");
		expect(await found({ pattern: "**/*.{ts,log}" })).toEqual(["src/c.ts"]);
		expect(await found({ pattern: "dist/**" })).toEqual(["(no matches)"]);
	});

	it("obeys a .gitignore further down, and its exceptions", async () => {
		await files(["src/a.gen.ts", "src/keep.gen.ts", "b.gen.ts"]);
		await writeFile(join(context.root, "src/.gitignore"), "*.gen.ts\n!keep.gen.ts\n");
		expect(await found({ pattern: "**/*.gen.ts" })).toEqual(["b.gen.ts", "src/keep.gen.ts"]);
	});

	it("leaves out git's own folder", async () => {
		await files([".git/config", "config"]);
		expect(await found({ pattern: "**/config" })).toEqual(["config"]);
	});
});

describe("where it searches", () => {
	it("searches another folder on request", async () => {
		await files(["src/a.ts", "src/deep/b.ts", "c.ts"]);
		expect(await found({ pattern: "**/*.ts", path: "src" })).toEqual(["src/deep/b.ts", "src/a.ts"]);
	});

	it("takes absolute patterns and `..` inside the workspace", async () => {
		await files(["src/a.ts", "lib/b.ts"]);
		expect(await found({ pattern: `${context.root}/src/*.ts` })).toEqual(["src/a.ts"]);
		expect(await found({ pattern: `${context.root}/lib/b.ts` })).toEqual(["lib/b.ts"]);
		expect(await found({ pattern: "../lib/*.ts", path: "src" })).toEqual(["lib/b.ts"]);
		expect(await found({ pattern: "src/../lib/b.ts" })).toEqual(["lib/b.ts"]);
	});

	it("shows absolute paths for files of an added folder", async () => {
		await files(["x.ts"], context.outside);
		const workspace = await createWorkspace({ cwd: context.root, additionalDirectories: [context.outside] });
		const result = await call(globTool, { pattern: "*.ts", path: context.outside }, { ...context, workspace });
		expect(result.content).toBe(join(context.outside, "x.ts"));
	});

	it("never follows a symlink out", async () => {
		await files(["secret.ts"], context.outside);
		await symlink(context.outside, join(context.root, "out"));
		expect(await found({ pattern: "**/*.ts" })).toEqual(["(no matches)"]);
		expect(await found({ pattern: "out/*.ts" })).toEqual(["(no matches)"]);
		expect(await found({ pattern: "*.ts", path: "out" })).toEqual(["Error: path escapes workspace: out"]);
		expect(await found({ pattern: "../outside/*.ts" })).toEqual(["Error: path escapes workspace: ./../outside"]);
		expect(await found({ pattern: "/etc/*" })).toEqual(["Error: path escapes workspace: /etc"]);
		expect(await found({ pattern: "*/../../outside/*" })).toEqual(["Error: `..` after a wildcard: */../../outside/*"]);
	});

	it("names a folder that is missing or none", async () => {
		await files(["a.ts"]);
		expect(await glob({ pattern: "*", path: "none" })).toEqual({
			content: "Error: file not found: none",
			isError: true,
		});
		expect(await glob({ pattern: "*", path: "a.ts" })).toEqual({
			content: "Error: a.ts is not a folder",
			isError: true,
		});
	});
});

it("refuses a pattern that would take for ever to match", async () => {
	const refusal = "Error: pattern has more than 5 wildcards in one name, or more than 5 `**`";
	expect((await glob({ pattern: "src/*a*a*a*a*a*b" })).content).toBe(refusal);
	expect((await glob({ pattern: "**/a/**/a/**/a/**/a/**/a/**/b" })).content).toBe(refusal);
	expect((await glob({ pattern: "a".repeat(1_001) })).content).toBe("Error: pattern is longer than 1000 characters");
	expect((await glob({ pattern: "**/*a*a*a*a*b" })).content).toBe("(no matches)");
});

it("names what is missing", async () => {
	expect((await glob({})).content).toBe("Error: pattern is required");
});

it("records its process and forgets it", async () => {
	await files(["a.ts"]);
	await glob({ pattern: "*" });
	expect(context.recorded).toHaveLength(1);
	await until(() => context.groups.size === 0);
});

describe("what a rule hides", () => {
	it("is not listed, and is asked for the folder that is searched", async () => {
		await files(["src/a.pem", "secrets/b.pem", "c.pem"]);
		const folders: string[] = [];
		context = {
			...context,
			hiddenFrom: async (folder) => {
				folders.push(folder);
				return { globs: folder === context.root ? ["/secrets/**", "/c.pem"] : ["/**"], ignoreCase: false };
			},
		};
		expect(await found({ pattern: "**/*.pem" })).toEqual(["src/a.pem"]);
		expect(await found({ pattern: "*", path: "secrets" })).toEqual(["(no matches)"]);
		expect(folders).toEqual([context.root, join(context.root, "secrets")]);
	});
});
