// Pure policy: what the deadline watch thinks of one run at one look. No state of its own.

import type { RunLimits, RunReason } from "../wire/run.ts";
import type { Watch } from "./live-run.ts";
import type { BoardReading } from "./status-board.ts";

export const DEFAULT_LIMITS = {
	turns: 50,
	heapMb: 256,
	idleMs: 600_000,
	startMs: 30_000,
	unresponsiveMs: 15_000,
	graceMs: 2_000,
} as const satisfies RunLimits;

export interface Overdue {
	readonly reason: RunReason;
	readonly why: string;
	/** The thread will not answer, or must not go on: no grace. */
	readonly atOnce: boolean;
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** Names the first deadline a run has passed, or nothing. `nowMs` is monotonic. */
export function decideDeadline(
	reading: BoardReading,
	watch: Watch,
	limits: RunLimits,
	nowMs: number,
): Overdue | undefined {
	const { startMs, unresponsiveMs, heapMb, idleMs } = { ...DEFAULT_LIMITS, ...limits };
	if (reading.heartbeat === 0) {
		if (nowMs - watch.runningSince < startMs) return undefined;
		return { reason: "never-started", why: `its thread gave no sign of life in ${seconds(startMs)}`, atOnce: true };
	}
	if (nowMs - watch.heartbeatAt >= unresponsiveMs) {
		const why = `its thread did not answer for ${seconds(unresponsiveMs)} (a loop or a blocking call)`;
		return { reason: "unresponsive", why, atOnce: true };
	}
	const usedMb = (reading.heapKb + reading.externalKb) / 1024;
	if (usedMb > heapMb) {
		const why = `it used ${Math.round(usedMb)} MB of memory, more than its ${heapMb} MB`;
		return { reason: "out-of-memory", why, atOnce: true };
	}
	if (watch.pauses > 0) return undefined;
	if (limits.wallMs !== undefined && nowMs - watch.runningSince - watch.pausedMs >= limits.wallMs) {
		return { reason: "timeout", why: `it ran longer than its ${seconds(limits.wallMs)}`, atOnce: false };
	}
	if (reading.phase !== "idle" && watch.idleHolds === 0 && nowMs - watch.activityAt >= idleMs) {
		return { reason: "idle-timeout", why: `nothing moved for ${seconds(idleMs)}`, atOnce: false };
	}
	return undefined;
}
