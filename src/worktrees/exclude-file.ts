// Keeps a file of ours out of what git calls untracked: by the repository's own `info/exclude`, which nobody commits.

import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Git } from "./git.ts";

/**
 * Adds the pattern unless git ignores the file or has it already. Does nothing outside a working tree. Never rejects:
 * whoever writes the file has done so.
 */
export async function excludeFile(git: Git, file: string, pattern: string): Promise<void> {
	try {
		const cwd = dirname(file);
		const isIgnored = await git({ cwd, args: ["check-ignore", "-q", "--", file] });
		const isTracked = await git({ cwd, args: ["ls-files", "--error-unmatch", "--", file] });
		if (isIgnored.ok || isTracked.ok) return;
		const found = await git({ cwd, args: ["rev-parse", "--is-inside-work-tree", "--git-path", "info/exclude"] });
		const [isInside, path = ""] = found.stdout.split("\n");
		if (!found.ok || isInside !== "true" || path === "") return;
		const exclude = resolve(cwd, path);
		const text = await readFile(exclude, "utf8").catch(() => "");
		if (text.split(/\r?\n/).includes(pattern)) return;
		await mkdir(dirname(exclude), { recursive: true });
		await appendFile(exclude, `${text === "" || text.endsWith("\n") ? "" : "\n"}${pattern}\n`);
	} catch {
		// An untracked file is no more than untidy.
	}
}
