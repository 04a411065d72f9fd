// Makes a worktree, in two steps: git registers it (that takes the repository's locks, so one at a time), then the files
// are checked out (its own index alone, so several at once).

import { realpath } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import { ClowderError } from "../errors.ts";
import { makeFolder } from "../lib/make-folder.ts";
import { type Git, gitFailure } from "./git.ts";
import type { Worktree } from "./worktree.ts";

const CHECKOUT_TIMEOUT_MS = 300_000;

/** @throws ERR_GIT, ERR_ABORTED; what was made until then stays for `removeWorktree` */
export async function registerWorktree(git: Git, { origin, path, branch, base }: Worktree, signal?: AbortSignal) {
	// Not -b: when a lock stopped the first try, the branch may be there already. Nobody else has one of this name.
	const args = ["worktree", "add", "--quiet", "--no-checkout", "--no-track", "-B", branch, path, base];
	const added = await git({ cwd: origin, args, signal });
	if (!added.ok) throw gitFailure(`No worktree could be made of ${origin}`, added);
}

/** @throws ERR_GIT, ERR_ABORTED */
export async function checkOut(git: Git, { path, cwd }: Worktree, signal?: AbortSignal): Promise<void> {
	const args = ["reset", "--quiet", "--hard", "--no-recurse-submodules"];
	const done = await git({ cwd: path, args, signal, timeoutMs: CHECKOUT_TIMEOUT_MS });
	if (!done.ok) throw gitFailure(`The files of the worktree ${path} could not be checked out`, done);
	// A folder that no commit knows is not in the copy.
	await makeFolder(cwd);
	const below = relative(path, await realpath(cwd));
	if (!below.startsWith("..") && !isAbsolute(below)) return;
	throw new ClowderError("ERR_GIT", `In the worktree ${path} a link in the place of ${cwd} leads out of it`, {
		remedy: "Commit the folder itself, or start agents without isolation",
	});
}
