// What `supervisor.status()` says: a snapshot made of what the owners of each fact say at that moment.

import type { RunSupervisor } from "../supervision/run-supervisor.ts";
import type { Phase, StatusBoard } from "../supervision/status-board.ts";
import type { RunStatus, UsageTotals } from "../wire/run.ts";

export interface LiveRunStatus {
	readonly id: string;
	readonly kind: "subagent" | "lead" | "teammate";
	readonly name: string;
	readonly description: string;
	readonly agentType: string;
	readonly parentId: string | undefined;
	readonly status: RunStatus;
	readonly phase: Phase;
	readonly threadId: number | undefined;
	/** Milliseconds since the Unix epoch. */
	readonly createdAt: number;
	readonly startedAt: number | undefined;
	/** Heap plus external memory at the last heartbeat, in MB. */
	readonly memoryMb: number;
	readonly usage: UsageTotals;
}

export interface SupervisorStatus {
	/** Subagents that hold a slot, and how many may. */
	readonly running: number;
	readonly limit: number;
	/** Subagents PENDING. */
	readonly queued: number;
	/** Agent threads in use. */
	readonly threads: number;
	/** Threads that did not end when they were terminated, since the start. */
	readonly lostThreads: number;
	/** Tokens and US dollars of all agents so far, reservations included. */
	readonly spent: { readonly tokens: number; readonly usd: number };
	/** Runs that have not ended, oldest first. */
	readonly runs: readonly LiveRunStatus[];
}

export function readStatus(
	supervisor: RunSupervisor,
	board: StatusBoard,
	spent: SupervisorStatus["spent"],
): SupervisorStatus {
	const runs = supervisor.live().map((run): LiveRunStatus => {
		const reading = board.read(run.key);
		return {
			id: run.spec.id,
			kind: run.spec.kind,
			name: run.spec.name,
			description: run.spec.description,
			agentType: run.spec.agentType,
			parentId: run.spec.parentId,
			status: run.status(),
			phase: reading?.phase ?? "starting",
			threadId: run.record.threadId,
			createdAt: run.record.createdAt,
			startedAt: run.record.startedAt,
			memoryMb: Math.round(((reading?.heapKb ?? 0) + (reading?.externalKb ?? 0)) / 1024),
			usage: run.usage(),
		};
	});
	return { ...supervisor.counts(), spent, runs };
}
