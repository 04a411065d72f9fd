// Which child process groups belong to which run, in shared memory: the thread that spawns writes the entry
// in the same synchronous step, so main can end the group even if that thread never runs again.
// One entry is three words: row + 1 (0 = none), epoch, process group id (0 = free).

import type { RowKey } from "./status-board.ts";

const WORDS_PER_ENTRY = 3;

/** Signals a process group; false when it has no members. Injected, so that tests need no processes. */
export type SignalGroup = (pgid: number, signal: NodeJS.Signals | 0) => boolean;

export class ProcessLedger {
	readonly buffer: SharedArrayBuffer;
	readonly #words: Int32Array;

	/** Builds a ledger of `entries` entries, or opens one. */
	constructor(source: { readonly entries: number } | { readonly buffer: SharedArrayBuffer }) {
		this.buffer = "buffer" in source ? source.buffer : new SharedArrayBuffer(source.entries * WORDS_PER_ENTRY * 4);
		this.#words = new Int32Array(this.buffer);
	}

	/** Records a group; false when the ledger is full (the caller must end the child at once). */
	add({ row, epoch }: RowKey, pgid: number): boolean {
		for (let at = 0; at < this.#words.length; at += WORDS_PER_ENTRY) {
			// Order: the pgid word is the claim; an entry without an owner yet is treated as in use.
			if (Atomics.compareExchange(this.#words, at + 2, 0, pgid) !== 0) continue;
			Atomics.store(this.#words, at + 1, epoch);
			Atomics.store(this.#words, at, row + 1);
			return true;
		}
		return false;
	}

	/** The group has no members left, or was ended. */
	remove({ row, epoch }: RowKey, pgid: number): void {
		for (let at = 0; at < this.#words.length; at += WORDS_PER_ENTRY) {
			if (this.#matches(at, row, epoch) && Atomics.load(this.#words, at + 2) === pgid) this.#clear(at);
		}
	}

	/** Groups of one run. */
	groupsOf({ row, epoch }: RowKey): number[] {
		const groups: number[] = [];
		for (let at = 0; at < this.#words.length; at += WORDS_PER_ENTRY) {
			if (this.#matches(at, row, epoch)) groups.push(Atomics.load(this.#words, at + 2));
		}
		return groups;
	}

	/** Every group of every run. */
	allGroups(): number[] {
		const groups: number[] = [];
		for (let at = 2; at < this.#words.length; at += WORDS_PER_ENTRY) {
			const pgid = Atomics.load(this.#words, at);
			if (pgid !== 0) groups.push(pgid);
		}
		return groups;
	}

	/** Main only: ends every group of a run for good and forgets it. Returns how many there were. */
	killGroupsOf(key: RowKey, signalGroup: SignalGroup): number {
		const groups = this.groupsOf(key);
		for (const pgid of groups) {
			signalGroup(pgid, "SIGKILL");
			this.remove(key, pgid);
		}
		return groups.length;
	}

	#matches(at: number, row: number, epoch: number): boolean {
		return Atomics.load(this.#words, at) === row + 1 && Atomics.load(this.#words, at + 1) === epoch;
	}

	// Order: the owner goes first, the claim word last, so that nobody takes a half-cleared entry.
	#clear(at: number): void {
		Atomics.store(this.#words, at, 0);
		Atomics.store(this.#words, at + 1, 0);
		Atomics.store(this.#words, at + 2, 0);
	}
}

/** Sends a signal to a real process group. */
export const signalProcessGroup: SignalGroup = (pgid, signal) => {
	// Invariant: never 0 or 1, which would mean our own group or every process.
	if (!Number.isInteger(pgid) || pgid <= 1) return false;
	try {
		process.kill(-pgid, signal);
		return true;
	} catch {
		return false;
	}
};
