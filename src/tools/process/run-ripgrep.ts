// Runs ripgrep and hands its output on chunk by chunk. The reader may say that it has enough.

import type { ChildProcess } from "node:child_process";
import { createDeferred } from "../../lib/deferred.ts";
import type { HiddenPaths } from "../../wire/requests.ts";
import { ToolError } from "../definition.ts";
import { type ProcessContext, startProcess } from "./start-process.ts";

export interface SearchContext extends ProcessContext {
	readonly signal: AbortSignal;
	hiddenFrom(folder: string): Promise<HiddenPaths>;
	touch(): void;
}

export interface RipgrepOptions {
	readonly args: readonly string[];
	/** A single place to search. @default all of `cwd` */
	readonly target?: string;
	readonly cwd: string;
	/** Receives stdout; false ends the search. */
	readonly onOutput: (chunk: Buffer) => boolean;
	/** The search ends after this time, in ms. @default MAX_SEARCH_MS */
	readonly timeoutMs?: number;
}

export interface RipgrepResult {
	/** 0: matches, 1: none, 2: an error. Null when it was ended early. */
	readonly code: number | null;
	/** What ended it early. */
	readonly stopped?: "enough" | "timeout";
	readonly stderr: string;
}

/** Same for every search: hidden files count, git's own folder does not, ignore files count without git too. */
const COMMON_ARGS = ["--no-config", "--hidden", "--glob=!.git", "--no-require-git", "--color=never"];

/** The time a search may take unless its caller says otherwise. */
export const MAX_SEARCH_MS = 60_000;
const MAX_STDERR_CHARACTERS = 4_000;

/** @throws ToolError on an abort, or when ripgrep cannot be started. */
export async function runRipgrep(context: SearchContext, options: RipgrepOptions): Promise<RipgrepResult> {
	if (context.signal.aborted) throw new ToolError("Error: Interrupted");
	const { child, exited } = await startProcess(context, {
		file: await findRipgrep(),
		args: [
			...[...COMMON_ARGS, ...options.args, ...(await hidingArgs(context, options.cwd))],
			...(options.target === undefined ? [] : ["--", options.target]),
		],
		cwd: options.cwd,
		stdio: ["ignore", "pipe", "pipe"],
	});
	const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
	const stopped = createDeferred<"enough" | "aborted" | "timeout">();
	const onAbort = () => stopped.resolve("aborted");
	context.signal.addEventListener("abort", onAbort, { once: true });
	const timer = context.clock.after(options.timeoutMs ?? MAX_SEARCH_MS, () => stopped.resolve("timeout"));
	const stderr = readBoth(child, context, (chunk) => {
		if (!stopped.settled && !options.onOutput(chunk)) stopped.resolve("enough");
	});
	try {
		const why = await Promise.race([stopped.promise, closed]);
		// It holds nothing that needs an orderly end.
		if (why) child.kill("SIGKILL");
		if (why === "aborted") throw new ToolError("Error: Interrupted");
		const { code } = await exited;
		return { code: why ? null : code, ...(why ? { stopped: why } : {}), stderr: stderr().trim() };
	} finally {
		timer.cancel();
		context.signal.removeEventListener("abort", onAbort);
	}
}

// Order: of several globs that match, the last one counts, and no glob of the model's may show what is hidden.
async function hidingArgs(context: SearchContext, folder: string): Promise<string[]> {
	const { globs, ignoreCase } = await context.hiddenFrom(folder);
	return globs.map((glob) => `${ignoreCase ? "--iglob" : "--glob"}=!${glob}`);
}

/** Hands stdout on; answers a function that gives the start of stderr. */
function readBoth(child: ChildProcess, context: SearchContext, onOutput: (chunk: Buffer) => void): () => string {
	let stderr = "";
	child.stdout?.on("data", (chunk: Buffer) => {
		context.touch();
		onOutput(chunk);
	});
	child.stderr?.on("data", (chunk: Buffer) => {
		if (stderr.length < MAX_STDERR_CHARACTERS) stderr += chunk.toString("utf8");
	});
	return () => stderr;
}

/** The binary of the package, or one on the PATH where the package has none for this machine. */
export async function findRipgrep(): Promise<string> {
	try {
		return (await import("@vscode/ripgrep")).rgPath;
	} catch {
		return "rg";
	}
}
