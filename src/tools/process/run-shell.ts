// Runs one command line in a shell and collects what it prints. Ends with the command, a timeout or an abort,
// never with whoever else still holds the output.

import type { Readable } from "node:stream";
import type { Clock } from "../../lib/clock.ts";
import { createDeferred } from "../../lib/deferred.ts";
import { EndMarker } from "./end-marker.ts";
import { findShell } from "./find-shell.ts";
import { OutputCollector, type OutputLimits } from "./output-collector.ts";
import { liveMembers } from "./process-group.ts";
import { type ProcessContext, type StartedProcess, startProcess } from "./start-process.ts";

export interface ShellContext extends ProcessContext {
	readonly signal: AbortSignal;
	touch(): void;
}

export interface ShellOptions {
	readonly command: string;
	readonly cwd: string;
	readonly timeoutMs: number;
	/** Where output goes that is too long to keep. */
	readonly outputFile: string;
	readonly outputLimits?: OutputLimits;
}

export type ShellEnd =
	| { readonly kind: "exited"; readonly code: number }
	/** The shell was ended by a signal before it could say how the command ended. */
	| { readonly kind: "killed" }
	| { readonly kind: "timeout" }
	| { readonly kind: "aborted" };

export interface ShellResult {
	readonly output: string;
	readonly end: ShellEnd;
	/** Something the command started is still running. */
	readonly leftRunning: boolean;
}

// Node gives a child a socket where a pipe is expected, and `> /dev/stderr` fails on a socket. So the command writes
// into a real pipe, both of its outputs in order, and `cat` carries that to us. The marker after it says how it ended,
// also when a grandchild keeps the pipe open. The traps let the last words of a command that is asked to end come through.
const WRAPPER =
	'trap : TERM INT HUP; { trap : TERM INT HUP; "$0" -c "$1" 2>&1; printf "%s%s\\n" "$2" "$?"; } 2>/dev/null |' +
	' { trap "" TERM INT HUP; PATH=/bin:/usr/bin:$PATH; exec cat; }';

const KILL_GRACE_MS = 1_000;
/** How long the wrapper may take to end after the command before it is looked at why. */
const EXIT_MS = 50;
const MAX_DRAIN_MS = 1_000;
const TOUCH_MS = 30_000;

/** @throws ToolError when the shell cannot be started. */
export async function runShell(context: ShellContext, options: ShellOptions): Promise<ShellResult> {
	const shell = await findShell();
	const marker = new EndMarker();
	const started = await startProcess(context, {
		file: shell,
		args: ["-c", WRAPPER, shell, options.command, marker.text],
		cwd: options.cwd,
		stdio: ["ignore", "pipe", "ignore"],
	});
	const alive = context.clock.every(TOUCH_MS, () => context.touch());
	try {
		return await follow(started, marker, context, options);
	} finally {
		alive.cancel();
	}
}

async function follow(
	started: StartedProcess,
	marker: EndMarker,
	context: ShellContext,
	options: ShellOptions,
): Promise<ShellResult> {
	const stdout = started.child.stdout as Readable;
	const output = new OutputCollector(options.outputFile, options.outputLimits);
	const printed = collect(stdout, marker, output, () => context.touch());
	const end = await firstEnd(printed, context, options.timeoutMs);
	if (end.kind === "timeout" || end.kind === "aborted") {
		await started.end(KILL_GRACE_MS);
		await within(MAX_DRAIN_MS, printed.ended, context.clock);
	}
	await printed.stop();
	// Output that comes later is thrown away, so that whoever writes it does not block; nothing here waits for it.
	stdout.resume();
	const leftRunning = await isMoreRunning(started, context.clock);
	started.child.unref();
	if ("unref" in stdout && typeof stdout.unref === "function") stdout.unref();
	return { output: await output.finish(), end, leftRunning };
}

async function firstEnd(printed: Printed, { clock, signal }: ShellContext, timeoutMs: number): Promise<ShellEnd> {
	const end = createDeferred<ShellEnd>();
	const onAbort = () => end.resolve({ kind: "aborted" });
	const timer = clock.after(timeoutMs, () => end.resolve({ kind: "timeout" }));
	signal.addEventListener("abort", onAbort, { once: true });
	if (signal.aborted) onAbort();
	void printed.ended.then((code) => end.resolve(code === undefined ? { kind: "killed" } : { kind: "exited", code }));
	try {
		return await end.promise;
	} finally {
		timer.cancel();
		signal.removeEventListener("abort", onAbort);
	}
}

interface Printed {
	/** All that the command printed is collected: its exit code, or undefined when it ended without one. */
	readonly ended: Promise<number | undefined>;
	/** Collects nothing more; resolves when nothing is being written. */
	stop(): Promise<void>;
}

function collect(stdout: Readable, marker: EndMarker, output: OutputCollector, onChunk: () => void): Printed {
	const ended = createDeferred<number | undefined>();
	/** Settles when everything that came so far is written; undefined when nothing is being written. */
	let writing: Promise<void> | undefined;
	const add = (piece: Uint8Array) => {
		// Upstream: a child's exit makes its paused output flow again, so that more may come while this is being written.
		const written = writing === undefined ? output.push(piece) : writing.then(() => output.push(piece));
		if (written === undefined) {
			if (marker.code !== undefined) ended.resolve(marker.code);
			return;
		}
		stdout.pause();
		const last = written.then(() => {
			if (writing !== last) return;
			writing = undefined;
			if (marker.code === undefined) stdout.resume();
			else ended.resolve(marker.code);
		});
		writing = last;
	};
	const onData = (chunk: Buffer) => {
		onChunk();
		add(marker.push(chunk));
	};
	stdout.on("data", onData);
	stdout.on("error", () => {});
	stdout.once("close", () => void Promise.resolve(writing).then(() => ended.resolve(marker.code)));
	return {
		ended: ended.promise,
		async stop() {
			stdout.off("data", onData);
			await writing;
			await output.push(marker.flush());
		},
	};
}

/** Whether more is left of the group than the wrapper itself, which waits for whoever holds the output. */
async function isMoreRunning(started: StartedProcess, clock: Clock): Promise<boolean> {
	const wrapperEnded = await within(EXIT_MS, started.exited, clock);
	const members = await liveMembers(started.pid);
	if (members === undefined) return wrapperEnded === undefined;
	return members.some(({ pid, parent }) => pid !== started.pid && parent !== started.pid);
}

/** What the promise resolves to, or undefined when it takes longer. */
async function within<Value>(timeMs: number, promise: Promise<Value>, clock: Clock): Promise<Value | undefined> {
	const late = createDeferred<undefined>();
	const timer = clock.after(timeMs, () => late.resolve(undefined));
	try {
		return await Promise.race([promise, late.promise]);
	} finally {
		timer.cancel();
	}
}
