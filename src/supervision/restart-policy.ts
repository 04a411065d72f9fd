// Pure policy: whether an agent that was lost is started again. As Erlang's supervisors count: at most `intensity`
// restarts within `periodMs`; one more, and it stays down.
// Source: https://www.erlang.org/doc/system/sup_princ.html#maximum-restart-intensity

import { ClowderError } from "../errors.ts";
import type { RunReason } from "../wire/run.ts";

export interface RestartOptions {
	/** `transient`: started again after an end that nobody asked for. `temporary`: never. @default "temporary" */
	readonly type?: "transient" | "temporary";
	/** Restarts within the period, at most. @default 3 */
	readonly intensity?: number;
	/** In ms. @default 60_000 */
	readonly periodMs?: number;
}

/** Ends that are an accident of the thread; all others are a decision, and would come again. */
const ACCIDENTS: ReadonlySet<RunReason> = new Set(["crashed", "exited", "out-of-memory", "unresponsive", "lost"]);

export interface RestartPolicy {
	/** Asked at each end, and counts a yes. `nowMs` is monotonic. */
	mayRestart(reason: RunReason, nowMs: number): boolean;
}

/** @throws ClowderError ERR_BAD_OPTION */
export function createRestartPolicy(options: RestartOptions = {}): RestartPolicy {
	const { type = "temporary", intensity = 3, periodMs = 60_000 } = options;
	if (!Number.isInteger(intensity) || intensity < 0) throw badOption("intensity", "a whole number, 0 or more");
	if (!(periodMs > 0)) throw badOption("periodMs", "a number of milliseconds above 0");
	let restarts: number[] = [];
	return {
		mayRestart: (reason, nowMs) => {
			if (type !== "transient" || !ACCIDENTS.has(reason)) return false;
			restarts = restarts.filter((at) => nowMs - at < periodMs);
			if (restarts.length >= intensity) return false;
			restarts.push(nowMs);
			return true;
		},
	};
}

function badOption(name: string, wanted: string): ClowderError {
	return new ClowderError("ERR_BAD_OPTION", `Option 'team.restart.${name}' must be ${wanted}`);
}
