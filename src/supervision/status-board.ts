// The status board: one row of shared memory per live agent, readable without a message from any thread that holds it.
// Who writes what: main alone allocates rows and moves the state word (one CAS carries epoch, reason and
// state together, so no reader sees a state with another state's reason); the agent's thread alone writes
// the meters of its own row (board-row.ts). Each row is a buffer of its own, and an agent is given only its own;
// main decides by a copy of the state words that nobody else has: what a thread writes over them is seen by readers
// of the row at most, and changes no run.

import type { UsageTotals } from "../wire/run.ts";
import { RUN_REASONS, RUN_STATUSES, type RunReason, type RunStatus } from "../wire/run-names.ts";

const WORDS_PER_ROW = 16;
/** Two cache lines a row, so that two agents' meters never share one wherever a buffer begins. */
const ROW_BYTES = 128;
const HEADER_WORDS = 16;

export const HEADER = { rows: 0, running: 1, limit: 2, queued: 3 } as const;

export const WORD = {
	state: 0,
	/** Grows while the thread's event loop turns. */
	heartbeat: 1,
	/** Grows with every sign of progress: model bytes, tool starts and ends, touches. */
	activity: 2,
	phase: 3,
	turns: 4,
	toolCalls: 5,
	inputTokens: 6,
	outputTokens: 7,
	cacheReadTokens: 8,
	cacheWriteTokens: 9,
	costMicroUsd: 10,
	heapKb: 11,
	externalKb: 12,
	threadId: 13,
	contextTokens: 14,
	modelMs: 15,
} as const;

export const PHASES = ["starting", "idle", "model", "tool", "waiting-person", "waiting-child"] as const;
export type Phase = (typeof PHASES)[number];

// State word: epoch (23 bits) | reason (5 bits) | state (3 bits); 0 = a row nobody has.
const STATE_BITS = 3;
const REASON_BITS = 5;
const EPOCH_SHIFT = STATE_BITS + REASON_BITS;
const MAX_EPOCH = 2 ** 23 - 1;

export interface RowState {
	readonly epoch: number;
	readonly status: RunStatus;
	readonly reason: RunReason | undefined;
}

function packState(epoch: number, status: RunStatus, reason: RunReason | undefined): number {
	const reasonCode = reason === undefined ? 0 : RUN_REASONS.indexOf(reason) + 1;
	return (epoch << EPOCH_SHIFT) | (reasonCode << STATE_BITS) | (RUN_STATUSES.indexOf(status) + 1);
}

function unpackState(word: number): RowState | undefined {
	const status = RUN_STATUSES[(word & (2 ** STATE_BITS - 1)) - 1];
	if (status === undefined) return undefined;
	const reason = RUN_REASONS[((word >>> STATE_BITS) & (2 ** REASON_BITS - 1)) - 1];
	return { epoch: word >>> EPOCH_SHIFT, status, reason };
}

/** A run's place on the board. A row is used again with a higher epoch, so an old key never matches a new run. */
export interface RowKey {
	readonly row: number;
	readonly epoch: number;
}

export interface BoardReading {
	readonly status: RunStatus;
	readonly reason: RunReason | undefined;
	readonly phase: Phase;
	readonly heartbeat: number;
	readonly activity: number;
	readonly heapKb: number;
	readonly externalKb: number;
	readonly threadId: number;
	readonly contextTokens: number;
	readonly usage: UsageTotals;
}

/** What another thread needs to read a board. Goes to no agent. */
export interface SharedBoard {
	readonly header: SharedArrayBuffer;
	readonly rows: readonly SharedArrayBuffer[];
}

/** Reads and, on main, moves run states. Any thread that is given its memory may build one over it to read. */
export class StatusBoard {
	readonly shared: SharedBoard;
	readonly #rows: readonly Int32Array[];
	/** Main only: the state words as main moved them. */
	readonly #truth: Int32Array | undefined;
	readonly #free: number[] = [];

	/** Builds a new board of `rows` rows, or opens one for reading. */
	constructor(source: { readonly rows: number } | { readonly shared: SharedBoard }) {
		if ("shared" in source) {
			this.shared = source.shared;
		} else {
			const rows = Array.from({ length: source.rows }, () => new SharedArrayBuffer(ROW_BYTES));
			this.shared = { header: new SharedArrayBuffer(HEADER_WORDS * 4), rows };
			this.#truth = new Int32Array(source.rows);
			Atomics.store(new Int32Array(this.shared.header), HEADER.rows, source.rows);
			this.#free.push(...rows.keys());
		}
		this.#rows = this.shared.rows.map((row) => new Int32Array(row));
	}

	get rows(): number {
		return this.#rows.length;
	}

	get freeRows(): number {
		return this.#free.length;
	}

	/** Main only: takes a row for a new PENDING run; undefined when all are in use. */
	allocate(): RowKey | undefined {
		const row = this.#free.shift();
		if (row === undefined) return undefined;
		const words = this.#wordsOf(row);
		const epoch = ((this.#stateWord(row) >>> EPOCH_SHIFT) % MAX_EPOCH) + 1;
		for (let word = 1; word < WORDS_PER_ROW; word += 1) Atomics.store(words, word, 0);
		this.#publish(row, packState(epoch, "PENDING", undefined));
		return { row, epoch };
	}

	/**
	 * Main only: gives a row back once its thread can write to it no longer. The terminal state stays
	 * readable under its key until the row is allocated again.
	 */
	free(key: RowKey): void {
		this.#free.push(key.row);
	}

	/** Main only: moves a run from one state to the next; false if it was not there. The one way a state changes. */
	transition(key: RowKey, from: RunStatus, to: RunStatus, reason?: RunReason): boolean {
		const expected = packState(key.epoch, from, undefined);
		const truth = this.#truth;
		if (!truth || Atomics.compareExchange(truth, key.row, expected, packState(key.epoch, to, reason)) !== expected) {
			return false;
		}
		this.#publish(key.row, Atomics.load(truth, key.row));
		return true;
	}

	/** The state under this key; undefined once the row belongs to another run. */
	state(key: RowKey): RowState | undefined {
		const state = unpackState(this.#stateWord(key.row));
		return state?.epoch === key.epoch ? state : undefined;
	}

	/** Everything about one run; undefined once the row belongs to another run. */
	read(key: RowKey): BoardReading | undefined {
		const state = this.state(key);
		if (!state) return undefined;
		const words = this.#wordsOf(key.row);
		const word = (index: number) => Atomics.load(words, index) >>> 0;
		return {
			status: state.status,
			reason: state.reason,
			phase: PHASES[word(WORD.phase)] ?? "starting",
			heartbeat: word(WORD.heartbeat),
			activity: word(WORD.activity),
			heapKb: word(WORD.heapKb),
			externalKb: word(WORD.externalKb),
			threadId: word(WORD.threadId),
			contextTokens: word(WORD.contextTokens),
			usage: {
				inputTokens: word(WORD.inputTokens),
				outputTokens: word(WORD.outputTokens),
				cacheReadTokens: word(WORD.cacheReadTokens),
				cacheWriteTokens: word(WORD.cacheWriteTokens),
				turns: word(WORD.turns),
				toolCalls: word(WORD.toolCalls),
				costUsd: word(WORD.costMicroUsd) / 1e6,
				modelMs: word(WORD.modelMs),
			},
		};
	}

	/** The memory of one row: all that its agent is given of the board. */
	rowBuffer(row: number): SharedArrayBuffer {
		return this.shared.rows[row] as SharedArrayBuffer;
	}

	#stateWord(row: number): number {
		return Atomics.load(this.#truth ?? this.#wordsOf(row), this.#truth ? row : WORD.state);
	}

	#publish(row: number, word: number): void {
		if (this.#truth) Atomics.store(this.#truth, row, word);
		Atomics.store(this.#wordsOf(row), WORD.state, word);
	}

	#wordsOf(row: number): Int32Array {
		return this.#rows[row] as Int32Array;
	}
}
