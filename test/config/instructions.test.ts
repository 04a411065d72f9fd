import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatFault } from "../../src/config/fault.ts";
import { formatInstructions, loadInstructions } from "../../src/config/instructions.ts";
import type { ProjectFiles } from "../../src/config/project-folders.ts";
import { makeTree } from "./make-tree.ts";

async function load(
	files: Record<string, string>,
	projectFiles: ProjectFiles = "trusted",
	links: [string, string][] = [],
) {
	const root = await makeTree({ "home/": "", "repo/.git/": "", "repo/src/": "", ...files });
	for (const [from, to] of links) await symlink(join(root, to), join(root, from));
	const loaded = await loadInstructions({ cwd: join(root, "repo/src"), homeDir: join(root, "home"), projectFiles });
	const short = (text: string) => text.replaceAll(`${root}/`, "");
	return {
		texts: loaded.sections.map(({ text }) => text),
		paths: loaded.sections.map(({ path }) => short(path)),
		importers: loaded.sections.map(({ importedBy }) => short(importedBy ?? "")),
		notes: loaded.notes.map((note) => short(formatFault(note))),
	};
}

describe("loadInstructions", () => {
	it("reads the home folder first, then from the root down to the working folder", async () => {
		const names = [
			"home/.clowder/CLAUDE.md",
			"home/.claude/CLAUDE.md",
			"CLAUDE.md",
			"repo/CLAUDE.md",
			"repo/.claude/CLAUDE.md",
			"repo/.clowder/CLAUDE.md",
			"repo/CLAUDE.local.md",
			"repo/src/CLAUDE.md",
		];
		const { paths, notes } = await load(Object.fromEntries(names.map((name) => [name, `text of ${name}`])));
		expect(paths).toEqual(names);
		expect(notes).toEqual([]);
	});

	it("reads AGENTS.md only where a folder has no CLAUDE.md", async () => {
		const { texts } = await load({ "repo/CLAUDE.md": "c", "repo/AGENTS.md": "no", "repo/src/AGENTS.md": "a" });
		expect(texts).toEqual(["c", "a"]);
	});

	it("puts an import after its importer and reads nothing twice", async () => {
		const { paths, importers, notes } = await load({
			"repo/CLAUDE.md": "See @docs/a.md, @docs/b.md and @docs/a.md.",
			"repo/docs/a.md": "a imports @b.md",
			"repo/docs/b.md": "b imports @a.md and @../CLAUDE.md",
		});
		expect(paths).toEqual(["repo/CLAUDE.md", "repo/docs/a.md", "repo/docs/b.md"]);
		expect(importers).toEqual(["", "repo/CLAUDE.md", "repo/docs/a.md"]);
		expect(notes).toEqual([]);
	});

	it("stops after four hops and says so", async () => {
		const chain = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`repo/${n}.md`, `@${n + 1}.md`]));
		const { paths, notes } = await load({ "repo/CLAUDE.md": "@1.md", ...chain });
		expect(paths).toEqual(["repo/CLAUDE.md", "repo/1.md", "repo/2.md", "repo/3.md", "repo/4.md"]);
		expect(notes).toEqual(["repo/4.md: @5.md is not imported: more than 4 imports deep"]);
	});

	it("notes what is not there and imports nothing from code", async () => {
		const { paths, notes } = await load({
			"repo/CLAUDE.md": "@gone.md `@code.md`\n```\n@code.md\n```",
			"repo/code.md": "x",
		});
		expect(paths).toEqual(["repo/CLAUDE.md"]);
		expect(notes).toEqual(["repo/CLAUDE.md: @gone.md is not imported: there is no such file"]);
	});

	it("imports from the home folder and notes a folder", async () => {
		const { paths, notes } = await load({
			"repo/CLAUDE.md": "@~/mine.md @docs",
			"home/mine.md": "m",
			"repo/docs/": "",
		});
		expect(paths).toEqual(["repo/CLAUDE.md", "home/mine.md"]);
		expect(notes).toEqual(["repo/docs: it is not a regular file"]);
	});

	it("lets an untrusted project import only from itself, links included", async () => {
		const files = {
			"repo/CLAUDE.md": "@~/.ssh/id @inside.md @link.md",
			"repo/inside.md": "in",
			"home/.ssh/id": "SECRET",
			"home/.claude/CLAUDE.md": "@~/mine.md",
			"home/mine.md": "m",
		};
		const { texts, notes } = await load(files, "untrusted", [["repo/link.md", "home/.ssh/id"]]);
		expect(texts).toEqual(["@~/mine.md", "m", "@~/.ssh/id @inside.md @link.md", "in"]);
		expect(notes).toEqual(["home/.ssh/id: left out: it leads outside the project, which is not trusted yet"]);
	});

	it("leaves the project's files out where that is asked for", async () => {
		const { texts } = await load({ "repo/CLAUDE.md": "p", "home/.claude/CLAUDE.md": "h" }, "excluded");
		expect(texts).toEqual(["h"]);
	});

	it("reads a file that is linked under two names once", async () => {
		const { texts } = await load({ "repo/AGENTS.md": "one" }, "trusted", [
			["repo/CLAUDE.md", "repo/AGENTS.md"],
			["repo/CLAUDE.local.md", "repo/AGENTS.md"],
		]);
		expect(texts).toEqual(["one"]);
	});

	it("cuts a file that is too long, and all together", async () => {
		const { texts, notes } = await load({
			"repo/CLAUDE.md": `${"x".repeat(100_001)}\n@a.md @b.md @c.md @d.md`,
			...Object.fromEntries(["a", "b", "c", "d"].map((name) => [`repo/${name}.md`, name.repeat(100_000)])),
		});
		expect(texts.map((text) => text.length)).toEqual([100_000, 100_000, 100_000, 100_000]);
		expect(notes).toEqual([
			"repo/CLAUDE.md: cut after 100000 of 100025 characters",
			"repo/d.md: cut after 0 of 100000 characters",
		]);
	});
});

describe("formatInstructions", () => {
	it("names each file above its text", () => {
		expect(formatInstructions([])).toBe("");
		expect(
			formatInstructions([
				{ path: "/a/CLAUDE.md", text: "one" },
				{ path: "/b.md", text: "two" },
			]),
		).toBe("Contents of /a/CLAUDE.md:\n\none\n\nContents of /b.md:\n\ntwo");
	});
});
