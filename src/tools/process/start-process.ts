// Starts one child in a process group of its own and looks after that group until it has no members left.
// The group is recorded for main in the same synchronous step: from then on it dies with the run, whatever happens here.

import type { ChildProcess, StdioOptions } from "node:child_process";
import { messageOf } from "../../errors.ts";
import { type Clock, waitFor } from "../../lib/clock.ts";
import { createDeferred } from "../../lib/deferred.ts";
import { type ToolContext, ToolError } from "../definition.ts";
import { isGroupAlive, signalGroup } from "./process-group.ts";

export type ProcessContext = Pick<ToolContext, "clock" | "env" | "processes">;

export interface ProcessOptions {
	readonly file: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly stdio: StdioOptions;
}

export interface ProcessEnd {
	/** Null when a signal ended it. */
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

export interface StartedProcess {
	readonly pid: number;
	readonly child: ChildProcess;
	/** Resolves when the child itself has ended; others of its group may live on. */
	readonly exited: Promise<ProcessEnd>;
	/** Asks the group to end, and ends it for good after `graceMs`. Resolves when it is gone or was ended for good. */
	end(graceMs: number): Promise<void>;
}

const GROUP_POLL_MS = 5_000;
const GRACE_POLL_MS = 25;

/** @throws ToolError when the program cannot be started. */
export async function startProcess(context: ProcessContext, options: ProcessOptions): Promise<StartedProcess> {
	const { spawn } = await import("node:child_process");
	const env = { ...context.env, ...context.processes.marker };
	let child: ChildProcess;
	try {
		child = spawn(options.file, options.args, { cwd: options.cwd, env, stdio: options.stdio, detached: true });
	} catch (thrown) {
		throw new ToolError(`Error: cannot start ${options.file}: ${messageOf(thrown)}`);
	}
	const pid = child.pid;
	if (pid === undefined) throw await startFailure(child, options);
	record(context, child, pid);
	const exited = createDeferred<ProcessEnd>();
	child.once("exit", (code, signal) => {
		exited.resolve({ code, signal });
		void forgetWhenGone(context, pid);
	});
	// Upstream: a failed kill is reported as an `error` event, which would end the thread if nobody listened.
	child.on("error", () => {});
	return { pid, child, exited: exited.promise, end: (graceMs) => endGroup(pid, graceMs, context.clock) };
}

// Order: nothing may run between spawn and this; a group that cannot be recorded may not live.
function record(context: ProcessContext, child: ChildProcess, pid: number): void {
	try {
		context.processes.add(pid);
	} catch (thrown) {
		child.on("error", () => {});
		signalGroup(pid, "SIGKILL");
		throw new ToolError(`Error: no more processes can be started now (${messageOf(thrown)})`);
	}
}

function startFailure(child: ChildProcess, options: ProcessOptions): Promise<ToolError> {
	return new Promise((resolve) => {
		child.once("error", (thrown) => {
			resolve(new ToolError(`Error: cannot start ${options.file} in ${options.cwd}: ${messageOf(thrown)}`));
		});
	});
}

async function forgetWhenGone(context: ProcessContext, pid: number): Promise<void> {
	if (!(await isGroupAlive(pid))) return context.processes.remove(pid);
	context.clock.after(GROUP_POLL_MS, () => void forgetWhenGone(context, pid));
}

async function endGroup(pid: number, graceMs: number, clock: Clock): Promise<void> {
	signalGroup(pid, "SIGTERM");
	const deadlineMs = clock.monotonicMs() + graceMs;
	while (await isGroupAlive(pid)) {
		if (clock.monotonicMs() >= deadlineMs) {
			signalGroup(pid, "SIGKILL");
			return;
		}
		await waitFor(clock, GRACE_POLL_MS);
	}
}
