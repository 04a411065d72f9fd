// Real repositories in temporary folders, and the worktrees of a session over a store of its own.

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../src/lib/clock.ts";
import type { Store } from "../../src/store/store.ts";
import { createWorktrees, type WorktreesOptions } from "../../src/worktrees/worktrees.ts";
import { openTestStore } from "../store/open-store.ts";
import { makeTempDir } from "../store/temp-dir.ts";

const run = promisify(execFile);
const AUTHOR = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];
export const ENV = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };

/** What git prints, without its last line break. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
	return (await run("git", [...AUTHOR, ...args], { cwd, env: ENV })).stdout.trimEnd();
}

export function write(folder: string, files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, name)), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
}

/** Made once: git takes its time, and most tests start from the same. */
let plain: Promise<string> | undefined;

/** A repository with one commit of these files. */
export async function makeRepository(files?: Readonly<Record<string, string>>): Promise<string> {
	if (files) return commitAll(files);
	plain ??= commitAll({ "a.txt": "a\n" });
	const folder = realpathSync(makeTempDir());
	cpSync(await plain, folder, { recursive: true });
	return folder;
}

async function commitAll(files: Readonly<Record<string, string>>): Promise<string> {
	const folder = realpathSync(makeTempDir());
	await git(folder, "init", "--quiet", "--initial-branch=main");
	write(folder, files);
	await git(folder, "add", "--all");
	await git(folder, "commit", "--quiet", "--message=first");
	return folder;
}

/** A folder with a `git` that does this first, in place of the machine's own. */
export function makeGit(before: string): string {
	const folder = makeTempDir();
	const script = `#!/bin/sh\n${before}\nPATH='${ENV.PATH}'\nexec git "$@"\n`;
	writeFileSync(join(folder, "git"), script, { mode: 0o755 });
	return `${folder}:${ENV.PATH}`;
}

export async function setUp(cwd: string, more: Partial<WorktreesOptions> & { readonly store?: Store } = {}) {
	const store = more.store ?? (await openTestStore()).store;
	const warnings: string[] = [];
	const folder = more.folder ?? join(realpathSync(makeTempDir()), "worktrees");
	const worktrees = createWorktrees({
		...{ cwd, folder, store, sessionId: "session_1", clock: systemClock, env: ENV },
		onWarning: (text) => void warnings.push(text),
		...more,
	});
	return { worktrees, store, folder, warnings };
}

/** Folders of worktrees, and branches that are not the person's. */
export async function leftIn(repository: string): Promise<string[]> {
	const worktrees = (await git(repository, "worktree", "list", "--porcelain"))
		.split("\n")
		.filter((line) => line.startsWith("worktree ") && line !== `worktree ${repository}`);
	const branches = await git(repository, "for-each-ref", "--format=%(refname)", "refs/heads/clowder");
	return [...worktrees, ...branches.split("\n").filter((line) => line !== "")];
}
