// The jobs of all sessions in the store. Main only.

import type { SessionRecord } from "../store/sessions.ts";
import type { Store } from "../store/store.ts";
import { isRunning, type JobRecord, jobRecordSchema } from "./job.ts";

export interface JobStore {
	/** Resolves when the record is durable. */
	put(record: JobRecord): Promise<void>;
	/** Jobs of one session, oldest first. */
	list(sessionId: string): JobRecord[];
	/** Sessions that have jobs on record as running. */
	runningSessions(): string[];
	/**
	 * Ends the running jobs of a session whose process is gone: killed, reason `interrupted`.
	 *
	 * **Contract**: each is returned to one caller only, in whatever process. Nothing happens when another process
	 * has taken the session over since it was `seen`.
	 */
	endRunning(sessionId: string, seen: SessionRecord | undefined, now: number): Promise<JobRecord[]>;
}

export function createJobStore(store: Store): JobStore {
	const jobs = store.table("jobs", jobRecordSchema);
	/** Keys (session id, job id) of those that run. */
	const running = () => jobs.entries().filter(({ value }) => isRunning(value));
	const list = (sessionId: string) =>
		jobs
			.entries({ prefix: [sessionId] })
			.map(({ value }) => value)
			.sort((a, b) => a.startedAt - b.startedAt);

	return {
		put: (record) => store.transaction(() => jobs.set([record.sessionId, record.id], record)),
		list,
		runningSessions: () => [...new Set(running().map(({ value }) => value.sessionId))],
		endRunning: (sessionId, seen, now) =>
			store.transaction(() => {
				const owner = store.sessions.get(sessionId)?.owner;
				if (JSON.stringify(owner) !== JSON.stringify(seen?.owner)) return [];
				const ended = list(sessionId)
					.filter(isRunning)
					.map((job): JobRecord => ({ ...job, status: "killed", reason: "interrupted", endedAt: now }));
				for (const job of ended) jobs.set([job.sessionId, job.id], job);
				return ended;
			}),
	};
}
