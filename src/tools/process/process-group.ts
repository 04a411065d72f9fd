// A child's whole process group. A shell's own death says nothing about what it started, so everything here
// goes to the group.

import { readdir, readFile } from "node:fs/promises";

/** Signals every member; false when there is none. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
	// Invariant: never 0 or 1, which would mean our own group or every process.
	if (!Number.isInteger(pid) || pid <= 1) return false;
	try {
		process.kill(-pid, signal);
		return true;
	} catch {
		return false;
	}
}

/**
 * Whether a member of the group still runs. A dead one that nobody has collected yet (an orphan in a container
 * whose first process is slow at it, or never does it) can still be signalled, and does not count.
 */
export async function isGroupAlive(pid: number): Promise<boolean> {
	if (!signalGroup(pid, 0)) return false;
	if (process.platform !== "linux") return true;
	try {
		const entries = await readdir("/proc");
		const members = await Promise.all(entries.filter((name) => /^\d+$/.test(name)).map((name) => runsIn(pid, name)));
		return members.includes(true);
	} catch {
		return true;
	}
}

// `/proc/N/stat` is `N (name) state parent group …`; the name may hold anything, brackets included.
async function runsIn(group: number, pid: string): Promise<boolean> {
	try {
		const stat = await readFile(`/proc/${pid}/stat`, "latin1");
		const [state, , pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		return Number(pgrp) === group && state !== "Z" && state !== "X";
	} catch {
		return false;
	}
}
