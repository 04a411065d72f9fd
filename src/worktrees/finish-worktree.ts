// Removes a worktree that holds nothing new. Whatever cannot be told for certain is a reason to keep it: every check
// here errs on that side, and git checks once more as it removes.

import { lstat } from "node:fs/promises";
import { messageOf } from "../errors.ts";
import { type Git, type GitResult, gitFailure } from "./git.ts";
import type { FinishedWorktree, Worktree } from "./worktree.ts";

// A person may have told git to show less; what is not shown would be lost.
const SHOW_ALL = ["-c", "status.showUntrackedFiles=all"];

/** Removes it with its branch unless something was done in it. Never rejects. */
export async function finishWorktree(git: Git, worktree: Worktree): Promise<FinishedWorktree> {
	try {
		const reason = (await isThere(worktree.path)) ? await whatItHolds(git, worktree) : undefined;
		return reason === undefined ? await removeWorktree(git, worktree) : kept(reason);
	} catch (thrown) {
		return kept(messageOf(thrown));
	}
}

/** Removes one in which nothing was done: a branch that has moved on, and files that git finds, stay. */
export async function removeWorktree(git: Git, worktree: Worktree): Promise<FinishedWorktree> {
	const { origin, path, branch, base } = worktree;
	// Not `worktree prune`: that would also forget a worktree of the person's whose disk is not mounted now.
	const removed = await removeFolder(git, worktree);
	if (!removed.ok && (await isThere(path))) return kept(gitFailure("it could not be removed", removed).message);
	// With the commit it must be at: git compares and deletes in one step.
	const deleted = await git({ cwd: origin, args: ["update-ref", "-d", `refs/heads/${branch}`, base] });
	if (deleted.ok) return { kept: false };
	const found = await git({ cwd: origin, args: ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`] });
	return found.ok ? kept("its branch has new commits") : { kept: false };
}

async function removeFolder(git: Git, { origin, path }: Worktree): Promise<GitResult> {
	const remove = (...more: string[]) => git({ cwd: origin, args: [...SHOW_ALL, "worktree", "remove", ...more, path] });
	const removed = await remove();
	if (removed.ok || !/submodule/i.test(removed.stderr)) return removed;
	// Upstream: git refuses by principle where the repository has submodules; here none was ever filled.
	return (await hasSubmoduleFiles(git, path)) ? removed : remove("--force");
}

async function whatItHolds(git: Git, { path, branch, base }: Worktree): Promise<string | undefined> {
	const args = ["status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--ignore-submodules=none"];
	const status = await git({ cwd: path, args });
	if (!status.ok) return gitFailure("it could not be looked into", status).message;
	const lines = status.stdout.split("\n").filter((line) => line !== "");
	const header = (name: string) => lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3);
	if (lines.some((line) => !line.startsWith("#"))) return "it has uncommitted changes";
	if (header("branch.oid") !== base) return "its branch has new commits";
	if (header("branch.head") !== branch) return "another branch is checked out in it";
	const former = await git({ cwd: path, args: ["log", "--walk-reflogs", "--format=%H", "HEAD"] });
	if (!former.ok) return gitFailure("its history could not be read", former).message;
	const commits = former.stdout.split("\n").filter((commit) => commit !== "");
	return commits.every((commit) => commit === base) ? undefined : "it had commits that its branch has no longer";
}

async function hasSubmoduleFiles(git: Git, path: string): Promise<boolean> {
	const folder = await git({ cwd: path, args: ["rev-parse", "--absolute-git-dir"] });
	return !folder.ok || isThere(`${folder.stdout.trim()}/modules`);
}

export async function isThere(path: string): Promise<boolean> {
	return lstat(path).then(
		() => true,
		(thrown: NodeJS.ErrnoException) => thrown.code !== "ENOENT",
	);
}

function kept(reason: string): FinishedWorktree {
	return { kept: true, reason };
}
