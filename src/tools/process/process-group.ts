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

export interface GroupMember {
	readonly pid: number;
	readonly parent: number;
}

/**
 * The members of a group that still run; undefined where the system does not tell. A dead one that nobody has
 * collected yet (an orphan in a container whose first process is slow at it, or never does it) can still be
 * signalled, and is no member here.
 */
export async function liveMembers(group: number): Promise<GroupMember[] | undefined> {
	if (!signalGroup(group, 0)) return [];
	if (process.platform !== "linux") return undefined;
	try {
		const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
		const members = await Promise.all(pids.map((pid) => memberOf(group, pid)));
		return members.filter((member) => member !== undefined);
	} catch {
		return undefined;
	}
}

export async function isGroupAlive(group: number): Promise<boolean> {
	const members = await liveMembers(group);
	return members === undefined || members.length > 0;
}

// `/proc/N/stat` is `N (name) state parent group …`; the name may hold anything, brackets included.
async function memberOf(group: number, pid: string): Promise<GroupMember | undefined> {
	try {
		const stat = await readFile(`/proc/${pid}/stat`, "latin1");
		const [state, parent, pgrp] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		if (Number(pgrp) !== group || state === "Z" || state === "X") return undefined;
		return { pid: Number(pid), parent: Number(parent) };
	} catch {
		return undefined;
	}
}
