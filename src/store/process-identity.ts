// Names a process so that its death can be told later, also when its pid belongs to another one by then.

import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import * as z from "zod";

const run = promisify(execFile);

export const processIdentitySchema = z.object({
	pid: z.number().int().positive(),
	/** When it started, in the machine's own words: compared, never read. Empty where it cannot be known. */
	startedAt: z.string(),
});
export type ProcessIdentity = z.infer<typeof processIdentitySchema>;

/** The process that runs this code. */
export async function identifySelf(): Promise<ProcessIdentity> {
	return { pid: process.pid, startedAt: (await startOf(process.pid)) ?? "" };
}

/**
 * Whether that very process still runs on this machine.
 *
 * A process of another container or machine counts as dead: LMDB files are not shared across them.
 */
export async function isProcessAlive(identity: ProcessIdentity): Promise<boolean> {
	if (!pidExists(identity.pid)) return false;
	const startedAt = await startOf(identity.pid);
	return startedAt === undefined || identity.startedAt === "" || startedAt === identity.startedAt;
}

export function pidExists(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (thrown) {
		return (thrown as NodeJS.ErrnoException).code === "EPERM";
	}
}

async function startOf(pid: number): Promise<string | undefined> {
	if (process.platform === "linux") return startOnLinux(pid);
	if (process.platform === "win32") return undefined;
	return run("ps", ["-o", "lstart=", "-p", String(pid)]).then(
		({ stdout }) => stdout.trim() || undefined,
		() => undefined,
	);
}

/** Boot id and start tick: unique for a machine over its restarts. */
async function startOnLinux(pid: number): Promise<string | undefined> {
	try {
		const [stat, boot] = await Promise.all([
			readFile(`/proc/${pid}/stat`, "utf8"),
			readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
		]);
		// The command's name stands in parentheses and may hold anything: count the fields behind it.
		const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
		const [state, startTick] = [fields[0], fields[19]];
		// A zombie has ended; only its parent has not noticed.
		if (state === "Z" || state === "X") return "ended";
		return startTick ? `${boot.trim()}:${startTick}` : undefined;
	} catch {
		return undefined;
	}
}
