// The durable facts of every run. The board holds the truth while a run lives; this holds it afterwards.

import * as z from "zod";
import type { Clock } from "../lib/clock.ts";
import type { RunRecord } from "../wire/run.ts";
import type { SessionRecord } from "./sessions.ts";
import type { Table, Transactions } from "./table.ts";

export interface RunStore {
	/**
	 * Writes a run's record.
	 *
	 * **Contract**: resolves when it survives the death of the process and of the machine. Calls that wait for
	 * the disk at the same time share one flush.
	 * **Ordering**: records of one run replace each other in the order of the calls.
	 */
	putRun(record: RunRecord): Promise<void>;
	getRun(id: string): RunRecord | undefined;
	/** Oldest first. */
	listRuns(filter?: { readonly sessionId?: string }): RunRecord[];
	/** Forgets the runs of one session; answers how many there were. */
	deleteSessionRuns(sessionId: string): Promise<number>;
	/**
	 * Ends the runs that were cut off with their process: FAILED, reason `interrupted`.
	 *
	 * **Contract**: each run is returned to one caller only, in whatever process, so that it is reported once.
	 * @param ownerAlive whether the process that a session belongs to still runs. Not asked for a session that is
	 * not on record: nobody owns it.
	 */
	markInterrupted(ownerAlive: (session: SessionRecord) => boolean | Promise<boolean>): Promise<RunRecord[]>;
}

/** Marks a run in the two indexes, whose keys are (session id, run id). */
export const runMarkSchema = z.literal(1);
type RunMark = z.infer<typeof runMarkSchema>;

export interface RunTables {
	readonly runs: Table<RunRecord>;
	readonly bySession: Table<RunMark>;
	/** Runs that have not ended. */
	readonly open: Table<RunMark>;
	readonly sessions: Table<SessionRecord>;
}

const INTERRUPTED = "The process ended while this run was under way";
const isEnded = (run: RunRecord) => run.status === "COMPLETED" || run.status === "FAILED";

export function createRunStore(tables: RunTables, transactions: Transactions, clock: Clock): RunStore {
	const { runs, bySession, open, sessions } = tables;

	function write(record: RunRecord): void {
		const key = [record.sessionId, record.id];
		runs.set(record.id, record);
		bySession.set(key, 1);
		if (isEnded(record)) open.remove(key);
		else open.set(key, 1);
	}

	const idsOf = (index: Table<RunMark>, sessionId: string) =>
		index.keys({ prefix: [sessionId] }).map((key) => key[1] as string);

	function endOpenRuns(sessionId: string): RunRecord[] {
		const ended: RunRecord[] = [];
		for (const id of idsOf(open, sessionId)) {
			const run = runs.get(id);
			if (!run || isEnded(run)) open.remove([sessionId, id]);
			else
				ended.push({ ...run, status: "FAILED", reason: "interrupted", error: INTERRUPTED, completedAt: clock.now() });
		}
		ended.forEach(write);
		return ended;
	}

	return {
		putRun: (record) => transactions.run(() => write(record)),
		getRun: (id) => runs.get(id),
		listRuns({ sessionId } = {}) {
			const found =
				sessionId === undefined
					? runs.entries().map((entry) => entry.value)
					: idsOf(bySession, sessionId).flatMap((id) => runs.get(id) ?? []);
			return found.sort((a, b) => a.createdAt - b.createdAt);
		},
		deleteSessionRuns: (sessionId) =>
			transactions.run(() => {
				const ids = idsOf(bySession, sessionId);
				for (const id of ids) {
					runs.remove(id);
					bySession.remove([sessionId, id]);
					open.remove([sessionId, id]);
				}
				return ids.length;
			}),
		async markInterrupted(ownerAlive) {
			const ended: RunRecord[] = [];
			for (const sessionId of new Set(open.keys().map((key) => key[0] as string))) {
				const session = sessions.get(sessionId);
				if (session && (await ownerAlive(session))) continue;
				const before = JSON.stringify(session?.owner);
				ended.push(
					...(await transactions.run(() => {
						// Race: another process may have taken the session over since.
						const owner = JSON.stringify(sessions.get(sessionId)?.owner);
						return owner === before ? endOpenRuns(sessionId) : [];
					})),
				);
			}
			return ended;
		},
	};
}
