// The public handle of one run. Reads the truth where it is kept (board while it lives, record after);
// keeps none of its own.

import type { RunLimits, RunReason, RunRecord, RunStatus, UsageTotals } from "../wire/run.ts";
import type { LiveRun, RunEvent } from "./live-run.ts";

/** How a run ended. */
export interface RunResult {
	readonly id: string;
	readonly status: "COMPLETED" | "FAILED";
	readonly reason: RunReason;
	/** The agent's last text; partial after a cap or a stop, empty when there was none. */
	readonly finalText: string;
	/** What went wrong, for people; absent for COMPLETED. */
	readonly error?: string;
	/** The final text as parsed JSON, where an `outputSchema` was given and satisfied. */
	readonly output?: unknown;
	readonly usage: UsageTotals;
	readonly record: RunRecord;
}

/** One agent's run in a thread of its own. */
export interface Run {
	/** `task_<uuid>`. */
	readonly id: string;
	readonly description: string;
	readonly agentType: string;
	/** Read from shared memory at the moment of the call. */
	readonly status: RunStatus;
	/** Set once the run is terminal. */
	readonly reason: RunReason | undefined;
	readonly usage: UsageTotals;
	/** What it used together with all runs below it, those that have ended included. */
	readonly treeUsage: UsageTotals;
	readonly record: RunRecord;
	readonly limits: RunLimits;
	/**
	 * What happens, as it happens.
	 *
	 * **Ordering**: `snapshot` first, `ended` last, in between in the order of the agent. A late reader gets a
	 * snapshot of the present and misses nothing that matters. A reader that is slower than the agent loses the
	 * oldest `agent-event`s beyond 1,000 waiting ones, never a `changed` or `ended`.
	 * **Cancellation**: breaking out of the loop unsubscribes.
	 */
	events(): AsyncIterableIterator<RunEvent>;
	/** Resolves when the run has ended and its record is durable. Never rejects, never hangs. */
	result(): Promise<RunResult>;
	/**
	 * Stops the run and its children: asks first, ends the thread after the grace time.
	 *
	 * @returns the ids of the runs that were stopped by this call; empty for a run that had ended.
	 */
	cancel(why?: string): Promise<{ readonly stopped: readonly string[] }>;
}

/** Builds a result from a terminal record. */
export function toRunResult(record: RunRecord): RunResult {
	return {
		id: record.id,
		status: record.status === "COMPLETED" ? "COMPLETED" : "FAILED",
		reason: record.reason ?? "lost",
		finalText: record.finalText ?? "",
		...(record.error === undefined ? {} : { error: record.error }),
		usage: record.usage,
		record,
	};
}

export interface RunHandleParts {
	/** Stops it and its children. */
	readonly cancel: Run["cancel"];
	toResult(record: RunRecord): RunResult;
	treeUsage(): UsageTotals;
}

/** Builds the public handle of a run. */
export function createRunHandle(run: LiveRun, { cancel, toResult, treeUsage }: RunHandleParts): Run {
	return {
		id: run.spec.id,
		description: run.spec.description,
		agentType: run.spec.agentType,
		limits: run.spec.limits,
		get status() {
			return run.status();
		},
		get reason() {
			return run.record.reason;
		},
		get usage() {
			return run.usage();
		},
		get treeUsage() {
			return treeUsage();
		},
		get record() {
			return run.record;
		},
		events: () => readRunEvents(run),
		result: async () => toResult(await run.ended.promise),
		cancel,
	};
}

const MAX_WAITING_EVENTS = 1_000;

/** The event stream of one reader. */
export async function* readRunEvents(run: LiveRun): AsyncIterableIterator<RunEvent> {
	const waiting: RunEvent[] = [{ type: "snapshot", record: run.record }];
	let wake: (() => void) | undefined;
	const unsubscribe = run.listen((event) => {
		if (waiting.length >= MAX_WAITING_EVENTS) {
			const oldest = waiting.findIndex((kept) => kept.type === "agent-event");
			if (oldest >= 0) waiting.splice(oldest, 1);
		}
		waiting.push(event);
		wake?.();
	});
	try {
		if (run.ended.settled) waiting.push({ type: "ended", record: run.record });
		for (;;) {
			const event = waiting.shift();
			if (event) {
				yield event;
				if (event.type === "ended") return;
				continue;
			}
			await new Promise<void>((resolve) => {
				wake = resolve;
			});
			wake = undefined;
		}
	} finally {
		unsubscribe();
	}
}
