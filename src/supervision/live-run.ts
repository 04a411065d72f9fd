// One run while it lives, as main keeps it: the only place that joins the board row, the record, the thread,
// the slot and the family of a run. Internal to supervision; the public handle is run.ts.

import { createDeferred, type Deferred } from "../lib/deferred.ts";
import { createEmitter, type Emitter, type Unsubscribe } from "../lib/emitter.ts";
import type { AgentEvent } from "../wire/control.ts";
import type { RunLimits, RunOutcome, RunReason, RunRecord, RunStatus, UsageTotals } from "../wire/run.ts";
import { HostCalls } from "./host-calls.ts";
import type { AgentThread } from "./launcher.ts";
import { PromptQueue } from "./prompt-queue.ts";
import type { RowKey, StatusBoard } from "./status-board.ts";

/** What is asked of the supervisor for one run; already checked by whoever builds it. */
export interface RunSpec {
	readonly id: string;
	readonly kind: "subagent" | "lead" | "teammate";
	readonly name: string;
	readonly description: string;
	readonly prompt: string;
	readonly agentType: string;
	readonly depth: number;
	readonly background: boolean;
	readonly limits: RunLimits;
	readonly parentId?: string;
	readonly signal?: AbortSignal;
}

export type RunEvent =
	/** Always first, also for late readers: everything that matters so far. */
	| { readonly type: "snapshot"; readonly record: RunRecord }
	| { readonly type: "changed"; readonly record: RunRecord }
	| { readonly type: "agent-event"; readonly event: AgentEvent }
	| { readonly type: "prompt-started"; readonly promptId: string; readonly woken: boolean }
	| { readonly type: "prompt-finished"; readonly outcome: RunOutcome; readonly woken: boolean }
	/** Messages that are now part of the agent's durable history, one JSON text each; `replaces` all before. */
	| { readonly type: "history"; readonly messagesJson: readonly string[]; readonly replaces: boolean }
	/** Always last. */
	| { readonly type: "ended"; readonly record: RunRecord };

/** Why a run is being stopped, decided before its thread is gone. */
export interface StopRequest {
	readonly reason: RunReason;
	readonly why: string;
}

/** What the deadline watch remembers of one run between two looks. Times in monotonic ms. */
export interface Watch {
	runningSince: number;
	heartbeat: number;
	heartbeatAt: number;
	activity: number;
	activityAt: number;
	/** Reasons for which all clocks of this run stand still now (a person is asked). */
	pauses: number;
	/** Reasons for which only the idle clock stands still (a child is awaited). */
	idleHolds: number;
	pausedMs: number;
	pausedAt: number;
}

export class LiveRun {
	readonly spec: RunSpec;
	readonly key: RowKey;
	readonly parent: LiveRun | undefined;
	readonly children = new Set<LiveRun>();
	readonly events: Emitter<{ event: RunEvent }>;
	/** Settles once the terminal record is durable. */
	readonly ended: Deferred<RunRecord> = createDeferred<RunRecord>();
	/** Aborts when the run ends: whatever main does on its behalf stops. */
	readonly abort = new AbortController();
	readonly prompts: PromptQueue;
	/** Tools that run in its thread for the person. */
	readonly hostCalls = new HostCalls((command) => this.thread?.post(command));
	record: RunRecord;
	/** Settles when the first record is durable. */
	admitted: Promise<void> = Promise.resolve();
	thread: AgentThread | undefined;
	/** Its thread is being terminated. */
	killing = false;
	/** Settles when its thread could not be terminated and is waited for no longer. */
	readonly writtenOff = createDeferred();
	holdsSlot = false;
	stop: StopRequest | undefined;
	/** How the last prompt that did anything ended. */
	lastOutcome: RunOutcome | undefined;
	/** Goes along with the next prompt: a model answers a prompt to its end. */
	nextModel: { readonly model: string; readonly contextWindow: number } | undefined;
	/** Wake-ups in a row that found nothing to read. */
	emptyWakes = 0;
	/** Questions of its agent that main is answering, by request id. */
	readonly requests = new Map<number, AbortController>();
	/** History writes still on their way; a prompt counts as finished only after them. */
	commits: Promise<void> = Promise.resolve();
	watch: Watch | undefined;
	readonly #board: StatusBoard;

	constructor(options: {
		readonly spec: RunSpec;
		readonly key: RowKey;
		readonly parent: LiveRun | undefined;
		readonly board: StatusBoard;
		readonly record: RunRecord;
		readonly onListenerError: (thrown: unknown) => void;
	}) {
		this.spec = options.spec;
		this.key = options.key;
		this.parent = options.parent;
		this.record = options.record;
		this.#board = options.board;
		this.events = createEmitter(options.onListenerError);
		this.prompts = new PromptQueue((command) => {
			const { nextModel } = this;
			this.nextModel = undefined;
			this.thread?.post(nextModel === undefined ? command : { ...command, useModel: nextModel });
			this.events.emit("event", {
				type: "prompt-started",
				promptId: command.promptId,
				woken: command.text === undefined && command.compactFocus === undefined,
			});
		});
	}

	get isTerminal(): boolean {
		return this.record.status === "COMPLETED" || this.record.status === "FAILED";
	}

	/** The state as shared memory has it; the record's once the row belongs to another run. */
	status(): RunStatus {
		return this.#board.state(this.key)?.status ?? this.record.status;
	}

	/** What was used so far: live from the board, from the record after the end. */
	usage(): UsageTotals {
		if (this.isTerminal) return this.record.usage;
		return this.#board.read(this.key)?.usage ?? this.record.usage;
	}

	/** Whether anybody listens to this run. */
	get isWatched(): boolean {
		return this.events.listenerCount("event") > 0;
	}

	/** Listens to everything from now on. An agent that nobody listened to is told to speak up. */
	listen(listener: (event: RunEvent) => void): Unsubscribe {
		if (!this.isWatched) this.thread?.post({ type: "send-events" });
		return this.events.on("event", listener);
	}

	/** Changes the record's facts and tells listeners. */
	update(facts: Partial<RunRecord>): void {
		this.record = { ...this.record, ...facts };
		this.events.emit("event", { type: "changed", record: this.record });
	}
}
