// The process tree of one job. The command's shell leads a group of its own, recorded for the exit guard in the same
// synchronous step as it starts. The job ends with that leader: whoever else of the tree is left then is ended too,
// also one that left the group or holds the output open.

import { spawn } from "node:child_process";
import { ClowderError, messageOf } from "../errors.ts";
import { type Clock, waitFor } from "../lib/clock.ts";
import { createDeferred } from "../lib/deferred.ts";
import { type ProcessLedger, signalProcessGroup } from "../supervision/process-ledger.ts";
import { runMarker } from "../supervision/run-marker.ts";
import type { RowKey } from "../supervision/status-board.ts";
import { isGroupAlive } from "../tools/process/process-group.ts";

export interface JobProcessOptions {
	readonly jobId: string;
	/** Whose entry of the ledger this is. */
	readonly key: RowKey;
	readonly ledger: ProcessLedger;
	readonly shell: string;
	readonly command: string;
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	readonly outputFd: number;
	readonly clock: Clock;
	endStrays(ids: readonly string[]): Promise<unknown>;
}

export interface LeaderEnd {
	/** Null when a signal ended it. */
	readonly code: number | null;
	readonly signal: string | null;
}

export interface JobProcess {
	/** The leader has ended; others of its tree may live on until `endTree`. */
	readonly exited: Promise<LeaderEnd>;
	/** Stops the group where it is, until what is returned is called. */
	hold(): () => void;
	/** Asks every member to end, and ends those for good that have not after `graceMs`. */
	endTree(graceMs: number): Promise<void>;
}

const POLL_MS = 25;

/** @throws ERR_BAD_INPUT when the command cannot be started. */
export async function startJobProcess(options: JobProcessOptions): Promise<JobProcess> {
	const { jobId, key, ledger, clock } = options;
	const exited = createDeferred<LeaderEnd>();
	const child = startChild(options);
	child.on("error", () => {});
	child.once("exit", (code, signal) => exited.resolve({ code, signal }));
	const { pid } = child;
	if (pid === undefined) {
		const thrown = await new Promise<Error>((resolve) => child.once("error", resolve));
		throw cannotStart(options, thrown);
	}
	// Order: nothing may run between spawn and this; a group that cannot be recorded may not live.
	if (!ledger.add(key, pid)) {
		signalProcessGroup(pid, "SIGKILL");
		throw cannotStart(options, new Error("too many processes at once"));
	}
	// A job alone does not keep the program alive.
	child.unref();

	return {
		exited: exited.promise,
		hold() {
			if (exited.settled) return () => {};
			signalProcessGroup(pid, "SIGSTOP");
			return () => void signalProcessGroup(pid, "SIGCONT");
		},
		async endTree(graceMs) {
			await endGroup(pid, graceMs, clock);
			await options.endStrays([jobId]);
			ledger.remove(key, pid);
		},
	};
}

function startChild(options: JobProcessOptions) {
	const { shell, command, cwd, outputFd } = options;
	try {
		return spawn(shell, ["-c", command], {
			cwd,
			env: { ...options.env, ...runMarker(options.jobId) },
			stdio: ["ignore", outputFd, outputFd],
			detached: true,
		});
	} catch (thrown) {
		throw cannotStart(options, thrown);
	}
}

function cannotStart({ cwd }: JobProcessOptions, thrown: unknown): ClowderError {
	return new ClowderError("ERR_BAD_INPUT", `the job cannot be started in ${cwd}: ${messageOf(thrown)}`);
}

async function endGroup(pid: number, graceMs: number, clock: Clock): Promise<void> {
	signalProcessGroup(pid, "SIGTERM");
	const deadlineMs = clock.monotonicMs() + graceMs;
	while (await isGroupAlive(pid)) {
		if (clock.monotonicMs() >= deadlineMs) return void signalProcessGroup(pid, "SIGKILL");
		await waitFor(clock, POLL_MS, undefined, { keepAlive: true });
	}
}
