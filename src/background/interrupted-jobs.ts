// Jobs of a process that is gone. Their children may still run: the mark in their environment finds them.

import type { SessionRecord } from "../store/sessions.ts";
import type { Store } from "../store/store.ts";
import type { JobRecord } from "./job.ts";
import { createJobStore } from "./job-store.ts";

export interface InterruptedOptions {
	readonly store: Store;
	now(): number;
	/** Whether a process has the session open now. */
	isSessionOpen(session: SessionRecord): Promise<boolean>;
	/** Ends every process that carries one of these marks. */
	endStrays(ids: readonly string[]): Promise<unknown>;
}

/** Ends what is left of such jobs and records them as killed (interrupted). */
export async function endInterruptedJobs(options: InterruptedOptions): Promise<JobRecord[]> {
	const { store, now, isSessionOpen, endStrays } = options;
	const jobs = createJobStore(store);
	const ended: JobRecord[] = [];
	for (const sessionId of jobs.runningSessions()) {
		const session = store.sessions.get(sessionId);
		if (session && (await isSessionOpen(session))) continue;
		// Order: a crash between these two steps must leave the record that finds the strays again.
		await endStrays(jobs.list(sessionId).flatMap(({ id, status }) => (status === "running" ? [id] : [])));
		ended.push(...(await jobs.endRunning(sessionId, session, now())));
	}
	return ended;
}
