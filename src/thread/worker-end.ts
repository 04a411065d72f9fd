// How a worker ended, told apart once for every kind of thread.

import type { ThreadEnd } from "../supervision/launcher.ts";

/** Classifies what an `error` event or a failed pool task carried. */
export function describeWorkerError(error: unknown): ThreadEnd {
	const wrapped = error instanceof Error ? error : new Error(String(error));
	const code = (wrapped as { code?: unknown }).code;
	if (code === "ERR_WORKER_OUT_OF_MEMORY") return { kind: "out-of-memory", error: wrapped };
	if (code === "ERR_WORKER_INIT_FAILED") return { kind: "failed-to-start", error: wrapped };
	// Upstream: piscina tells of an exit without an error only in words.
	const exit = /^worker exited with code: (\d+)$/.exec(wrapped.message);
	if (exit) return { kind: "exited", exitCode: Number(exit[1]) };
	return { kind: "crashed", error: wrapped };
}
