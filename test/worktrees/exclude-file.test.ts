import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { excludeFile } from "../../src/worktrees/exclude-file.ts";
import { createGit } from "../../src/worktrees/git.ts";
import { makeTree } from "../config/make-tree.ts";

const PATTERN = "**/.clowder/settings.local.json";

async function open(files: Readonly<Record<string, string>> = {}) {
	const root = await makeTree({ "home/": "", "repo/sub/.clowder/settings.local.json": "{}", ...files });
	const env = { PATH: process.env.PATH ?? "", HOME: join(root, "home"), GIT_CONFIG_NOSYSTEM: "1" };
	const git = (...args: string[]) => execFileSync("git", args, { cwd: join(root, "repo"), env, encoding: "utf8" });
	const file = join(root, "repo/sub/.clowder/settings.local.json");
	const exclude = () => excludeFile(createGit({ env, clock: systemClock }), file, PATTERN);
	const untracked = () => git("ls-files", "--others", "--exclude-standard");
	return { root, git, exclude, untracked, written: join(root, "repo/.git/info/exclude") };
}

describe("excludeFile", () => {
	it("hides the file from git in this repository alone, once", async () => {
		const { git, exclude, untracked, written } = await open();
		git("init", "-q");
		await writeFile(written, "*.log");
		expect(untracked()).toBe("sub/.clowder/settings.local.json\n");
		await exclude();
		await exclude();
		expect(untracked()).toBe("");
		expect(await readFile(written, "utf8")).toBe(`*.log\n${PATTERN}\n`);
	});

	it("writes nothing where git ignores the file, or people have committed it", async () => {
		const ignored = await open({ "repo/.gitignore": ".clowder/\n" });
		ignored.git("init", "-q");
		const tracked = await open();
		tracked.git("init", "-q");
		tracked.git("add", ".");
		for (const { exclude, written } of [ignored, tracked]) {
			await exclude();
			expect(await readFile(written, "utf8").catch(() => "")).not.toContain(PATTERN);
		}
	});

	it("does nothing outside a working tree, and fails nobody where it cannot write", async () => {
		const outside = await open();
		await outside.exclude();
		const { git, exclude, written } = await open();
		git("init", "-q");
		await rm(written, { force: true });
		await mkdir(written, { recursive: true });
		await expect(exclude()).resolves.toBeUndefined();
	});
});
