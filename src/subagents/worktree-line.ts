// What is said of a worktree that was kept. Loads nothing: agent threads use it.

/** `Worktree kept: PATH (branch BRANCH)` after the text, where there is one. */
export function withWorktree(
	text: string,
	worktree: { readonly path: string; readonly branch: string } | undefined,
): string {
	if (!worktree) return text;
	const line = `Worktree kept: ${worktree.path} (branch ${worktree.branch})`;
	return text === "" ? line : `${text}\n\n${line}`;
}
