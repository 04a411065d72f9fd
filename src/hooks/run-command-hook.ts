// Runs one user hook: a shell command in a process group of its own, JSON on stdin, bounded output. Settles whatever
// the command does; what it leaves running in the background stays on record and dies with the program. Main thread.

import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { messageOf } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { signalGroup } from "../tools/process/process-group.ts";
import { type StartedProcess, startProcess } from "../tools/process/start-process.ts";
import type { ProcessRegistry } from "../tools/process-registry.ts";

export type CommandHookEnd =
	| {
			readonly kind: "exited";
			/** Null when a signal ended it. */
			readonly code: number | null;
			readonly stdout: string;
			readonly stderr: string;
			/** More came on stdout than was kept. */
			readonly cut: boolean;
	  }
	| { readonly kind: "timed-out" }
	| { readonly kind: "aborted" }
	| { readonly kind: "not-started"; readonly reason: string };

export interface CommandHookRun {
	/** The shell and what it is started with, the command line included. */
	readonly file: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** What the command reads on stdin. */
	readonly input: string;
	readonly timeoutMs: number;
	readonly clock: Clock;
	readonly processes: ProcessRegistry;
	readonly signal: AbortSignal;
}

const MAX_STDOUT_BYTES = 1_048_576;
const MAX_STDERR_BYTES = 65_536;
/** How long output may still come once the shell is gone: something it started may hold the pipe for ever. */
const DRAIN_MS = 500;

export async function runCommandHook(run: CommandHookRun): Promise<CommandHookEnd> {
	if (run.signal.aborted) return { kind: "aborted" };
	let started: StartedProcess;
	try {
		started = await startProcess(run, { file: run.file, args: run.args, cwd: run.cwd, stdio: "pipe" });
	} catch (thrown) {
		return { kind: "not-started", reason: messageOf(thrown).replace(/^Error: /, "") };
	}
	const { child, pid } = started;
	const stdout = keepStart(child.stdout, MAX_STDOUT_BYTES);
	const stderr = keepStart(child.stderr, MAX_STDERR_BYTES);
	feed(child, run.input);
	const outcome = await firstOf(run, started);
	if (outcome !== "exited") {
		signalGroup(pid, "SIGKILL");
		letGo(child);
		return { kind: outcome };
	}
	letGo(child);
	const { code } = await started.exited;
	return { kind: "exited", code, stdout: stdout.text(), stderr: stderr.text(), cut: stdout.cut() };
}

// A command may end without reading its input: the broken pipe is no fault of ours.
function feed(child: ChildProcess, input: string): void {
	child.stdin?.on("error", () => {});
	child.stdin?.end(input);
}

function firstOf(run: CommandHookRun, { child, exited }: StartedProcess): Promise<"exited" | "timed-out" | "aborted"> {
	return new Promise((resolve) => {
		const settle = (outcome: "exited" | "timed-out" | "aborted") => {
			deadline.cancel();
			run.signal.removeEventListener("abort", onAbort);
			resolve(outcome);
		};
		const onAbort = () => settle("aborted");
		const deadline = run.clock.after(run.timeoutMs, () => settle("timed-out"));
		run.signal.addEventListener("abort", onAbort, { once: true });
		// Race: it may have come while the process was being started.
		if (run.signal.aborted) onAbort();
		child.once("close", () => settle("exited"));
		void exited.then(() => {
			deadline.cancel();
			const drain = run.clock.after(DRAIN_MS, () => settle("exited"));
			child.once("close", () => drain.cancel());
		});
	});
}

// Nothing more is read; a child that writes on gets a broken pipe and cannot hold this program open.
function letGo(child: ChildProcess): void {
	child.stdin?.destroy();
	child.stdout?.destroy();
	child.stderr?.destroy();
	child.unref();
}

interface KeptOutput {
	text(): string;
	cut(): boolean;
}

// Keeps the first bytes and drops the rest as it comes, so that the writer never has to wait.
function keepStart(stream: Readable | null, maxBytes: number): KeptOutput {
	const chunks: Buffer[] = [];
	let kept = 0;
	let cut = false;
	stream?.on("error", () => {});
	stream?.on("data", (chunk: Buffer) => {
		const room = maxBytes - kept;
		if (chunk.length > room) cut = true;
		if (room <= 0) return;
		chunks.push(chunk.subarray(0, room));
		kept += Math.min(room, chunk.length);
	});
	return { text: () => new TextDecoder("utf-8").decode(Buffer.concat(chunks)), cut: () => cut };
}
