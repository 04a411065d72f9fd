// Runs git: without a shell, never waiting for a terminal, within a bounded time, and with everything it started gone
// when it is stopped. What git says is data; that it cannot be run, or is stopped, is an error. Main thread.

import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { devNull } from "node:os";
import { ClowderError, messageOf } from "../errors.ts";
import { type Clock, waitFor } from "../lib/clock.ts";
import { withoutRepository } from "./git-environment.ts";

export interface GitResult {
	readonly ok: boolean;
	readonly stdout: string;
	readonly stderr: string;
}

export interface GitCall {
	/** Where it runs. */
	readonly cwd: string;
	readonly args: readonly string[];
	/** @default 60_000 */
	readonly timeoutMs?: number;
	readonly signal?: AbortSignal | undefined;
}

/** @throws ERR_GIT when git cannot be run or takes too long, ERR_ABORTED */
export type Git = (call: GitCall) => Promise<GitResult>;

export interface GitOptions {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly clock: Clock;
}

const TIMEOUT_MS = 60_000;
const KILL_AFTER_MS = 2_000;
const MAX_OUTPUT_CHARS = 4_000_000;
/** Waits before a call is tried again that met another git's lock. */
const LOCK_WAITS_MS = [50, 100, 200, 400, 800, 1_600];
const LOCKED = /\.lock['"]?: File exists|cannot lock ref|could not lock/i;

// The repository's own hooks and monitors are for people's working trees, and no part of this.
const SETTINGS = [`core.hooksPath=${devNull}`, "core.fsmonitor=false", "submodule.recurse=false"];

export function createGit({ env, clock }: GitOptions): Git {
	const childEnv = { ...withoutRepository(env), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" };
	return async (call) => {
		for (const waitMs of LOCK_WAITS_MS) {
			const result = await runOnce(call, childEnv, clock);
			if (result.ok || !LOCKED.test(result.stderr)) return result;
			await waitFor(clock, waitMs, call.signal).catch((thrown: unknown) => Promise.reject(stopped(call, thrown)));
		}
		return runOnce(call, childEnv, clock);
	};
}

/** What git's failure was, in one line, with the remedy where there is one. */
export function gitFailure(what: string, { stderr }: GitResult): ClowderError {
	const lines = stderr.split("\n").map((line) => line.trim());
	const line =
		lines.find((text) => /^(?:fatal|error): /.test(text)) ?? lines.find((text) => text !== "") ?? "no reason";
	const reason = line.replace(/^(?:fatal|error): /, "").slice(0, 300);
	const remedy = remedyFor(stderr);
	return new ClowderError("ERR_GIT", `${what}: git says: ${reason.replace(/\.$/, "")}`, {
		...(remedy === undefined ? {} : { remedy }),
		details: { stderr: stderr.slice(0, 2_000) },
	});
}

function remedyFor(stderr: string): string | undefined {
	const lock = /'([^']+\.lock)': File exists/.exec(stderr)?.[1];
	if (lock !== undefined) return `When no git is at work there, remove ${lock}`;
	// Owned by somebody else: git names the command that trusts it.
	return /^\s*(git config --global --add safe\.directory .+)$/m.exec(stderr)?.[1];
}

async function runOnce(call: GitCall, env: Record<string, string | undefined>, clock: Clock): Promise<GitResult> {
	const { cwd, args, signal, timeoutMs = TIMEOUT_MS } = call;
	if (signal?.aborted) throw stopped(call, signal.reason);
	const child = spawn("git", [...SETTINGS.flatMap((setting) => ["-c", setting]), ...args], {
		cwd,
		env,
		stdio: ["ignore", "pipe", "pipe"],
		windowsHide: true,
		// A group of its own: what git starts is stopped with it, and a Ctrl-C at the terminal does not tear it apart.
		detached: process.platform !== "win32",
	});
	let stop: ClowderError | undefined;
	const end = (why: ClowderError) => {
		stop ??= why;
		signalTree(child, "SIGTERM");
		late ??= clock.after(KILL_AFTER_MS, () => signalTree(child, "SIGKILL"), { keepAlive: true });
	};
	let late: ReturnType<Clock["after"]> | undefined;
	const onAbort = () => end(stopped(call, signal?.reason));
	signal?.addEventListener("abort", onAbort, { once: true });
	const deadline = clock.after(timeoutMs, () => end(tooSlow(call, timeoutMs)), { keepAlive: true });
	try {
		const result = await collect(child);
		if (stop) throw stop;
		return result;
	} catch (thrown) {
		throw (thrown as NodeJS.ErrnoException).code === "ENOENT" ? await notFound(cwd) : thrown;
	} finally {
		deadline.cancel();
		late?.cancel();
		signal?.removeEventListener("abort", onAbort);
	}
}

function collect(child: ChildProcess): Promise<GitResult> {
	const texts = { stdout: "", stderr: "" };
	for (const name of ["stdout", "stderr"] as const) {
		child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
			if (texts[name].length < MAX_OUTPUT_CHARS) texts[name] += chunk;
		});
	}
	return new Promise((resolve, reject) => {
		child.once("error", reject);
		child.once("close", (code) => resolve({ ok: code === 0, ...texts }));
	});
}

function signalTree(child: ChildProcess, name: NodeJS.Signals): void {
	const { pid } = child;
	if (pid === undefined) return;
	try {
		if (process.platform === "win32") child.kill(name);
		else process.kill(-pid, name);
	} catch {
		// It has ended by itself.
	}
}

function stopped({ args }: GitCall, why: unknown): ClowderError {
	return new ClowderError("ERR_ABORTED", `git ${args[0]} was stopped: ${messageOf(why)}`, { cause: why });
}

function tooSlow({ args, cwd }: GitCall, timeoutMs: number): ClowderError {
	return new ClowderError("ERR_GIT", `git ${args[0]} in ${cwd} took longer than ${timeoutMs / 1000} s`, {
		remedy: "Try it by hand there: a slow disk, or a filter that waits, may be the reason",
	});
}

async function notFound(cwd: string): Promise<ClowderError> {
	const folder = await stat(cwd).catch(() => undefined);
	if (!folder) return new ClowderError("ERR_GIT", `The folder ${cwd} is gone`, { remedy: "Name an existing folder" });
	return new ClowderError("ERR_GIT", "git was not found", {
		remedy: "Install git and put it on the PATH, or start agents without isolation",
	});
}
