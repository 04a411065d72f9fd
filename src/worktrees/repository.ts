// The repository that a folder is in, and why there may be none to make a worktree of.

import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { ClowderError } from "../errors.ts";
import { type Git, gitFailure } from "./git.ts";

export interface Repository {
	/** The top of its working tree: absolute, without symlinks. */
	readonly top: string;
	/** The folder below it; empty for the top itself. */
	readonly below: string;
	/** The commit that is checked out there. */
	readonly head: string;
}

/** @throws ERR_NO_REPOSITORY, ERR_GIT, ERR_ABORTED */
export async function findRepository(git: Git, cwd: string, signal?: AbortSignal): Promise<Repository> {
	const asked = await git({ cwd, args: ["rev-parse", "--show-toplevel", "--verify", "HEAD^{commit}"], signal });
	const [top, head] = asked.stdout.split("\n");
	if (!asked.ok || !top || !head) throw await whyNone(git, cwd, signal);
	const [realTop, realCwd] = await Promise.all([realpath(top), realpath(cwd)]);
	return { top: realTop, below: relative(realTop, realCwd), head };
}

async function whyNone(git: Git, cwd: string, signal?: AbortSignal): Promise<ClowderError> {
	const asked = await git({ cwd, args: ["rev-parse", "--is-bare-repository", "--is-inside-work-tree"], signal });
	if (!asked.ok) {
		if (!/not a git repository/i.test(asked.stderr)) return gitFailure(`No worktree can be made of ${cwd}`, asked);
		return noRepository(`${cwd} is not in a git repository`, "Make it one (git init, and a first commit)");
	}
	const [isBare, isInside] = asked.stdout.split("\n");
	if (isBare === "true") return noRepository(`The repository ${cwd} is bare`, "Start in a clone of it that has files");
	if (isInside !== "true") return noRepository(`${cwd} is inside a .git folder`, "Start in the repository's files");
	return noRepository(`The repository of ${cwd} has no commit yet`, "Commit something first (git add, git commit)");
}

function noRepository(what: string, remedy: string): ClowderError {
	return new ClowderError("ERR_NO_REPOSITORY", what, { remedy: `${remedy}, or start agents without isolation` });
}
