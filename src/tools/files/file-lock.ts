// One writer per file at a time, for read-change-write. Calls in one thread queue up; threads and processes on
// one Linux machine exclude each other by binding an abstract socket named after the file, which the kernel frees
// when its holder ends in whatever way. Elsewhere the check before the rename (replace-file.ts) is what is left.

import { createHash } from "node:crypto";
import { type Clock, waitFor } from "../../lib/clock.ts";
import { codeOf } from "./file-errors.ts";

export interface LockOptions {
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

const RETRY_MS = 5;
// A lock is held for milliseconds; past this someone else squats on the name, and the write goes ahead without it.
const PATIENCE_MS = 5_000;

const queues = new Map<string, Promise<unknown>>();

/** Runs `work` while no other call holds the lock of this file. */
export async function withFileLock<Result>(
	realPath: string,
	options: LockOptions,
	work: () => Promise<Result>,
): Promise<Result> {
	const before = queues.get(realPath) ?? Promise.resolve();
	const turn = before.then(async () => {
		const release = await takeName(realPath, options);
		try {
			return await work();
		} finally {
			release();
		}
	});
	const tail = turn.catch(() => {});
	queues.set(realPath, tail);
	try {
		return await turn;
	} finally {
		if (queues.get(realPath) === tail) queues.delete(realPath);
	}
}

/** The abstract socket that stands for a file's lock. */
export function lockNameOf(realPath: string): string {
	return `\0clowder-file-${createHash("sha256").update(realPath).digest("hex").slice(0, 40)}`;
}

async function takeName(realPath: string, { clock, signal }: LockOptions): Promise<() => void> {
	if (process.platform !== "linux") return () => {};
	const name = lockNameOf(realPath);
	const deadlineMs = clock.monotonicMs() + PATIENCE_MS;
	for (;;) {
		const release = await bind(name);
		if (release !== "taken") return release;
		if (clock.monotonicMs() >= deadlineMs) return () => {};
		await waitFor(clock, RETRY_MS, signal);
	}
}

async function bind(name: string): Promise<(() => void) | "taken"> {
	const { createServer } = await import("node:net");
	return new Promise((resolve) => {
		const server = createServer((socket) => socket.destroy());
		server.unref();
		// Any other error means that this machine has no such sockets: go without.
		server.once("error", (thrown) => resolve(codeOf(thrown) === "EADDRINUSE" ? "taken" : () => {}));
		// `exclusive`: a cluster worker binds by itself instead of asking its primary.
		server.listen({ path: name, exclusive: true }, () => resolve(() => void server.close()));
	});
}
