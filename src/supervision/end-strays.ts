// Ends child processes of a run or job whose thread went between spawning and recording them. Linux keeps every process's
// environment under /proc; elsewhere the ledger alone has to do.

import { readdir, readFile } from "node:fs/promises";
import { carriesMark } from "./run-marker.ts";

/** Ends every process of this user that carries the mark of one of these runs or jobs. Resolves with their pids. */
export async function endStrays(ids: readonly string[]): Promise<number[]> {
	if (process.platform !== "linux" || ids.length === 0) return [];
	const ended: number[] = [];
	for (const name of await readdir("/proc").catch(() => [])) {
		const pid = Number(name);
		if (!Number.isInteger(pid) || pid === process.pid) continue;
		// A process that has gone meanwhile, or is another user's, cannot be read.
		const environ = await readFile(`/proc/${name}/environ`, "utf8").catch(() => "");
		if (!ids.some((id) => carriesMark(environ, id))) continue;
		try {
			process.kill(pid, "SIGKILL");
			ended.push(pid);
		} catch {
			// It went by itself.
		}
	}
	return ended;
}
