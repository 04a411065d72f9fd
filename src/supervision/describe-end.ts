// Pure policy: the reason a run gets when its thread ended without a result.

import type { RunReason } from "../wire/run.ts";
import { describeCrash } from "./describe-crash.ts";
import type { ThreadEnd } from "./launcher.ts";
import type { StopRequest } from "./live-run.ts";

/** A stop that was asked for explains the end; otherwise the way the thread went does. */
export function describeEnd(
	end: ThreadEnd,
	stop: StopRequest | undefined,
): { readonly reason: RunReason; readonly error: string } {
	if (stop) return { reason: stop.reason, error: stop.why };
	switch (end.kind) {
		case "released":
			return { reason: "exited", error: "The thread ended before the run had a result" };
		case "exited":
			return { reason: "exited", error: `The thread exited with code ${end.exitCode} before the run had a result` };
		case "crashed":
			return { reason: "crashed", error: `The thread crashed: ${describeCrash(end.error)}` };
		case "out-of-memory":
			return { reason: "out-of-memory", error: "The thread reached its hard memory limit" };
		case "failed-to-start":
			return { reason: "never-started", error: `The thread could not start: ${end.error.message}` };
		case "terminated":
			return { reason: "killed", error: "The thread was terminated" };
	}
}
