// What the steps of a run's life share (admit, start, report, prompt, stop, finish: one file each).
// Everything outside supervision comes in through RunSupervisorOptions.

import type { Clock } from "../lib/clock.ts";
import type { Emitter } from "../lib/emitter.ts";
import type { AgentInit, RunReport } from "../wire/control.ts";
import type { RunRecord } from "../wire/run.ts";
import type { AgentLauncher } from "./launcher.ts";
import type { LiveRun, RunSpec } from "./live-run.ts";
import type { ProcessLedger, SignalGroup } from "./process-ledger.ts";
import type { SlotQueue } from "./slot-queue.ts";
import type { StatusBoard } from "./status-board.ts";

export type AgentRequestReport = Extract<RunReport, { type: "request" }>;
export type HistoryReport = Extract<RunReport, { type: "history-committed" }>;

export interface RunSupervisorOptions {
	readonly clock: Clock;
	readonly board: StatusBoard;
	readonly processes: ProcessLedger;
	readonly signalGroup: SignalGroup;
	readonly sessionId: string;
	readonly maxConcurrent: number;
	/** PENDING runs beyond the limit; 0 refuses them. */
	readonly maxQueued: number;
	/** Agent threads at once; a parent that waits for a child holds one too. */
	readonly maxThreads: number;
	/** Time between two looks of the deadline watch, in ms. */
	readonly watchIntervalMs: number;
	/** How long a thread may take to terminate before it is written off, in ms. */
	readonly killTimeoutMs: number;
	launcherFor(kind: RunSpec["kind"]): AgentLauncher;
	/** Builds what the agent's thread needs. A failure fails the run. */
	compose(run: LiveRun): Promise<AgentInit>;
	/** The run has a thread now, and commands posted to it will be read. */
	onLaunched(run: LiveRun): void;
	/** Makes a record durable. */
	putRun(record: RunRecord): Promise<void>;
	/** `signal` aborts when the agent no longer waits for the answer, or the run has ended. */
	onRequest(run: LiveRun, request: AgentRequestReport, signal: AbortSignal): Promise<unknown>;
	/** Makes committed history durable, then acknowledges its envelopes. */
	onHistory(run: LiveRun, report: HistoryReport): Promise<void>;
	/**
	 * The run is terminal and durable; its result is handed out after this. `retired` settles when its thread and
	 * everything it started are gone, or the thread is written off; it never rejects.
	 */
	onEnded(run: LiveRun, retired: Promise<void>): Promise<void>;
	/** Whether undelivered or unacknowledged mail waits for a run. */
	hasMail(run: LiveRun): boolean;
	/** Ends child processes that carry a run's marker but are in no ledger entry. */
	endStrays(runId: string): Promise<void>;
	onWarning(text: string): void;
}

export interface SupervisorEvents {
	"run-changed": RunRecord;
}

export interface FinishedRun {
	/** The terminal record is durable. */
	readonly saved: Promise<void>;
	/** The agent ended by itself and left nothing behind: its thread may be used again. */
	readonly clean: boolean;
}

export interface SupervisorState {
	readonly options: RunSupervisorOptions;
	/** Runs that have not ended, by id. */
	readonly runs: Map<string, LiveRun>;
	readonly queue: SlotQueue;
	readonly changes: Emitter<SupervisorEvents>;
	/** Threads on their way out, and writes under way: what close() waits for. */
	readonly settling: Set<Promise<unknown>>;
	/** Called by the winner of a run's terminal transition, in the same step. */
	afterFinish(run: LiveRun, finished: FinishedRun): void;
	threads: number;
	lostThreads: number;
	waitingParents: number;
	closed: boolean;
}

/** Starts whatever free slots and threads allow. */
export function pump(state: SupervisorState): void {
	if (state.closed) return;
	state.queue.pump(() => state.threads < state.options.maxThreads);
}

/** Keeps a promise in view until it settles; its failure becomes a warning. */
export function settleLater(state: SupervisorState, what: string, work: Promise<unknown>): void {
	const tracked = work
		.catch((thrown: unknown) => state.options.onWarning(`${what}: ${String(thrown)}`))
		.finally(() => state.settling.delete(tracked));
	state.settling.add(tracked);
}

/** Changes a record, makes it durable and tells everyone. Resolves when durable, also when that failed. */
export async function recordChange(state: SupervisorState, run: LiveRun, facts: Partial<RunRecord>): Promise<void> {
	run.update(facts);
	state.changes.emit("run-changed", run.record);
	try {
		await state.options.putRun(run.record);
	} catch (thrown) {
		state.options.onWarning(`The record of ${run.spec.id} was not saved: ${String(thrown)}`);
	}
}
