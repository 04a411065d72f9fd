// Runs one command line in a shell and collects what it prints. Ends with the command, a timeout or an abort,
// never with whoever else still holds the output.

import { access, constants } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Clock } from "../../lib/clock.ts";
import { createDeferred } from "../../lib/deferred.ts";
import { OutputCollector, type OutputLimits } from "./output-collector.ts";
import { isGroupAlive } from "./process-group.ts";
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

export interface ShellResult {
	readonly output: string;
	readonly end:
		| { readonly kind: "exited"; readonly code: number }
		/** The shell itself was ended by a signal from outside. */
		| { readonly kind: "killed" }
		| { readonly kind: "timeout" }
		| { readonly kind: "aborted" };
	/** Something the command started is still running. */
	readonly leftRunning: boolean;
}

// Node gives a child a socket where a terminal or a pipe is expected, and `> /dev/stderr` fails on a socket. So the
// command writes into a real pipe, both of its outputs in order; `cat` carries that to us, and the exit code comes on
// descriptor 3 at once, also when a grandchild keeps the pipe open. The traps let the last words of a command that is
// asked to end come through.
const WRAPPER =
	'trap : TERM INT HUP; { trap : TERM INT HUP; "$0" -c "$1" 2>&1 3>&-; echo $? >&3; } 2>/dev/null | { trap "" TERM INT HUP; PATH=/bin:/usr/bin:$PATH; exec cat; } 3>&-';

const SHELLS = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh"];
const KILL_GRACE_MS = 1_000;
/** After the command has ended: silence that means that all it printed has arrived. */
const QUIET_MS = 50;
const MAX_DRAIN_MS = 1_000;
const TOUCH_MS = 30_000;

/** @throws ToolError when the shell cannot be started. */
export async function runShell(context: ShellContext, options: ShellOptions): Promise<ShellResult> {
	const shell = await findShell();
	const started = await startProcess(context, {
		file: shell,
		args: ["-c", WRAPPER, shell, options.command],
		cwd: options.cwd,
		stdio: ["ignore", "pipe", "ignore", "pipe"],
	});
	const alive = context.clock.every(TOUCH_MS, () => context.touch());
	try {
		return await follow(started, context, options);
	} finally {
		alive.cancel();
	}
}

async function follow(started: StartedProcess, context: ShellContext, options: ShellOptions): Promise<ShellResult> {
	const stdout = started.child.stdout as Readable;
	const output = new OutputCollector(options.outputFile, options.outputLimits);
	const printed = collect(stdout, output, () => context.touch());
	const end = await firstEnd(started, context, options.timeoutMs);
	if (end.kind === "timeout" || end.kind === "aborted") await started.end(KILL_GRACE_MS);
	const complete = await drained(printed, context.clock);
	await printed.stop();
	// Output that comes later is thrown away, so that whoever writes it does not block; nothing here waits for it.
	stdout.resume();
	// The wrapper waits for nothing but the end of the output.
	if (complete) await started.exited;
	letGo(started);
	return { output: await output.finish(), end, leftRunning: await isGroupAlive(started.pid) };
}

async function firstEnd(
	started: StartedProcess,
	{ clock, signal }: ShellContext,
	timeoutMs: number,
): Promise<ShellResult["end"]> {
	const end = createDeferred<ShellResult["end"]>();
	const onAbort = () => end.resolve({ kind: "aborted" });
	const timer = clock.after(timeoutMs, () => end.resolve({ kind: "timeout" }));
	signal.addEventListener("abort", onAbort, { once: true });
	if (signal.aborted) onAbort();
	void exitCode(started).then((code) =>
		end.resolve(code === undefined ? { kind: "killed" } : { kind: "exited", code }),
	);
	try {
		return await end.promise;
	} finally {
		timer.cancel();
		signal.removeEventListener("abort", onAbort);
	}
}

/** What the wrapper said on descriptor 3; undefined when it was ended before it could say anything. */
function exitCode({ child }: StartedProcess): Promise<number | undefined> {
	const status = child.stdio[3] as Readable;
	const { promise, resolve } = createDeferred<number | undefined>();
	let text = "";
	status.on("data", (chunk: Buffer) => {
		text += chunk.toString("latin1");
		if (text.endsWith("\n")) resolve(Number(text));
	});
	status.on("error", () => resolve(undefined));
	status.on("close", () => resolve(undefined));
	return promise;
}

interface Collecting {
	/** The output has been closed by all who held it, and all of it is collected. */
	readonly ended: Promise<void>;
	/** Grows with everything that happens, to see silence. */
	readonly activity: () => number;
	/** Collects nothing more; resolves when nothing is being written. */
	stop(): Promise<void>;
}

function collect(stdout: Readable, output: OutputCollector, onChunk: () => void): Collecting {
	const ended = createDeferred();
	let activity = 0;
	let writing: Promise<void> | undefined;
	const onData = (chunk: Buffer) => {
		activity += 1;
		onChunk();
		const written = output.push(chunk);
		if (!written) return;
		stdout.pause();
		writing = written.then(() => {
			writing = undefined;
			stdout.resume();
		});
	};
	stdout.on("data", onData);
	stdout.on("error", () => {});
	stdout.once("close", () => void Promise.resolve(writing).then(() => ended.resolve()));
	return {
		ended: ended.promise,
		activity: () => (writing === undefined ? activity : ++activity),
		async stop() {
			stdout.off("data", onData);
			await writing;
		},
	};
}

/** Waits for the end of the output (true), or for silence where someone else holds it open (false). */
async function drained(printed: Collecting, clock: Clock): Promise<boolean> {
	const silent = createDeferred<false>();
	let seen = printed.activity();
	const quiet = clock.every(QUIET_MS, () => {
		if (printed.activity() === seen) silent.resolve(false);
		seen = printed.activity();
	});
	const limit = clock.after(MAX_DRAIN_MS, () => silent.resolve(false));
	try {
		return await Promise.race([printed.ended.then(() => true), silent.promise]);
	} finally {
		quiet.cancel();
		limit.cancel();
	}
}

function letGo({ child }: StartedProcess): void {
	child.unref();
	for (const stream of child.stdio) {
		if (stream && "unref" in stream && typeof stream.unref === "function") stream.unref();
	}
}

async function findShell(): Promise<string> {
	for (const path of SHELLS) {
		try {
			await access(path, constants.X_OK);
			return path;
		} catch {
			// The next one.
		}
	}
	return "sh";
}
