// One typed table of the store, and the transactions that change tables.
// Values are checked by their schema whenever they are read: what another version or a bad disk left behind
// is reported once and skipped, never thrown at whoever lists the rest.

import type { Database } from "lmdb";
import type * as z from "zod";
import { ClowderError } from "../errors.ts";
import { createDeferred } from "../lib/deferred.ts";
import type { FaultLog } from "./faults.ts";
import type { Key, Root } from "./lmdb-env.ts";
import { createOpenFence } from "./open-fence.ts";
import { stateDirError } from "./state-dir.ts";

/** Upstream: lmdb's own bound is 1,978 bytes, found only when the write is already under way. */
const MAX_KEY_BYTES = 1_500;

export interface Entry<T> {
	readonly key: Key;
	readonly value: T;
}

/** Entries in the order of their keys; `prefix` takes the keys that are arrays and begin with these parts. */
export interface Range {
	readonly prefix?: readonly (string | number)[];
	readonly reverse?: boolean;
	readonly limit?: number;
}

export interface Table<T> {
	readonly name: string;
	/** The value under `key`; undefined for a key that cannot be, and also when it is there and cannot be read (reported as a fault). */
	get(key: Key): T | undefined;
	entries(range?: Range): Entry<T>[];
	/** Keys alone, without reading the values. */
	keys(range?: Range): Key[];
	/** Writes inside a running transaction's action; it is a bug to call it elsewhere. */
	set(key: Key, value: T): void;
	remove(key: Key): void;
}

/** Runs actions that change tables. */
export interface Transactions {
	/**
	 * Runs `action` while no other process or action can write, and resolves when its writes are durable.
	 *
	 * **Contract**: all writes of the action or none: they are applied after it returned, so its own reads see
	 * what was there before. Synchronous, and quick: every other writer waits for it.
	 * **Ordering**: actions run in the order of the calls.
	 * @throws whatever the action throws; ClowderError ERR_STATE_DIR when the commit fails, ERR_CLOSED.
	 */
	run<R>(action: () => R): Promise<R>;
	/** @throws when no action is running. */
	write(apply: () => void): void;
	/** Refuses further actions and reads; resolves when those under way are done. */
	end(): Promise<void>;
	/** @throws ClowderError ERR_CLOSED after `end`. */
	assertOpen(): void;
}

export function createTransactions(root: Root, path: string): Transactions {
	let pending: (() => void)[] | undefined;
	let ended = false;
	/** Actions of this step: they share one transaction, because two hundred runs may start in one step. */
	let queued: Queued[] = [];
	let running: Promise<void> | undefined;
	const fence = createOpenFence(path);

	/** Runs an action inside the transaction; answers what to tell its caller once that is durable. */
	function collect({ action, resolve, reject }: Queued): () => void {
		const writes: (() => void)[] = [];
		pending = writes;
		try {
			const result = action();
			for (const apply of writes) apply();
			return () => resolve(result);
		} catch (thrown) {
			return () => reject(thrown);
		} finally {
			pending = undefined;
		}
	}

	/** One transaction after the other, each with all that has come meanwhile. */
	async function runQueued(): Promise<void> {
		while (queued.length > 0) {
			const actions = queued;
			queued = [];
			await commit(actions);
		}
		// Race: in the same step as the last look, so that an action that comes now starts the next run.
		running = undefined;
	}

	async function commit(actions: readonly Queued[]): Promise<void> {
		try {
			let tellers: (() => void)[] | undefined;
			while (tellers === undefined) {
				tellers = await root.transaction(() => (fence.enter() ? actions.map(collect) : undefined));
				if (tellers === undefined) await fence.untilNobodyOpens();
			}
			fence.leave();
			for (const tell of tellers) tell();
		} catch (thrown) {
			fence.leave();
			const error = await commitError(path, thrown);
			for (const { reject } of actions) reject(error);
		}
	}

	function assertOpen(): void {
		if (ended) throw new ClowderError("ERR_CLOSED", "The supervisor is closed");
	}

	return {
		assertOpen,
		async run<R>(action: () => R) {
			assertOpen();
			const { promise, resolve, reject } = createDeferred<R>();
			queued.push({ action, resolve: resolve as (value: unknown) => void, reject });
			running ??= Promise.resolve().then(runQueued);
			return promise;
		},
		write(apply) {
			if (!pending) throw new Error("A table was written outside a transaction");
			pending.push(apply);
		},
		end: async () => {
			ended = true;
			await running;
		},
	};
}

interface Queued {
	readonly action: () => unknown;
	readonly resolve: (value: unknown) => void;
	readonly reject: (reason: unknown) => void;
}

async function commitError(path: string, thrown: unknown): Promise<ClowderError> {
	// Upstream: a failed commit carries its cause as one more promise, which must not stay unhandled.
	const cause = (thrown as { commitError?: Promise<never> }).commitError;
	const reason: unknown = cause === undefined ? thrown : await cause.catch((inner: unknown) => inner);
	return stateDirError(path, reason);
}

export interface TableOptions<T> {
	readonly root: Root;
	/** Where the tables are, for errors. */
	readonly path: string;
	readonly transactions: Transactions;
	readonly faults: FaultLog;
	readonly name: string;
	readonly schema: z.ZodType<T>;
}

/** Creates it when it is not there: that writes. */
function openTable(root: Root, name: string, path: string): Database<string, Key> {
	try {
		return root.openDB<string, Key>({ name, encoding: "string" });
	} catch (thrown) {
		throw stateDirError(path, thrown);
	}
}

export function createTable<T>({ root, path, transactions, faults, name, schema }: TableOptions<T>): Table<T> {
	const db = openTable(root, name, path);

	function read(key: Key, text: string): T | undefined {
		const parsed = parseJson(text);
		const checked = parsed.ok ? schema.safeParse(parsed.value) : undefined;
		if (checked?.success) return checked.data;
		const issue = checked?.error?.issues[0];
		const reason = issue ? `${issue.path.join(".") || "record"}: ${issue.message}` : "not JSON";
		faults.report({ place: `${name} table`, key: String(key), reason });
		return undefined;
	}

	return {
		name,
		get(key) {
			transactions.assertOpen();
			const text = canBe(key) ? db.get(key) : undefined;
			return text === undefined ? undefined : read(key, text);
		},
		entries(range = {}) {
			transactions.assertOpen();
			if (range.prefix && !canBe(range.prefix)) return [];
			const found: Entry<T>[] = [];
			for (const { key, value: text } of db.getRange(bounds(range))) {
				const value = read(key, text);
				if (value !== undefined) found.push({ key, value });
			}
			return found;
		},
		keys(range = {}) {
			transactions.assertOpen();
			return range.prefix && !canBe(range.prefix) ? [] : [...db.getKeys(bounds(range))];
		},
		set(key, value) {
			checkKey(name, key);
			const text = JSON.stringify(value);
			transactions.write(() => void db.put(key, text));
		},
		remove: (key) => transactions.write(() => void (canBe(key) && db.remove(key))),
	};
}

function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
	try {
		return { ok: true, value: JSON.parse(text) };
	} catch {
		return { ok: false };
	}
}

function bounds({ prefix, reverse = false, limit }: Range) {
	const options = limit === undefined ? { reverse } : { reverse, limit };
	if (!prefix) return options;
	// Order: in lmdb's key order strings sort above numbers, and this one above every other string.
	const low: Key = [...prefix];
	const high: Key = [...prefix, "\u{10ffff}"];
	return { ...options, start: reverse ? high : low, end: reverse ? low : high };
}

/** Whether there can be such a key: agents and programs ask for ids of any length and kind. */
function canBe(key: Key | NonNullable<Range["prefix"]>): boolean {
	const parts: readonly unknown[] = Array.isArray(key) ? key : [key];
	if (!parts.every((part) => (typeof part === "string" && part !== "") || Number.isFinite(part))) return false;
	return parts.reduce<number>((sum, part) => sum + Buffer.byteLength(String(part)) + 9, 0) <= MAX_KEY_BYTES;
}

function checkKey(table: string, key: Key): void {
	if (canBe(key)) return;
	throw new ClowderError("ERR_BAD_INPUT", `A key of the ${table} table is empty or longer than ${MAX_KEY_BYTES} bytes`);
}
