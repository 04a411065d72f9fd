import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Job } from "../../src/background/job.ts";
import { createJobs, type JobsOptions } from "../../src/background/jobs.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/store.ts";
import { endStrays } from "../../src/supervision/end-strays.ts";
import { ProcessLedger } from "../../src/supervision/process-ledger.ts";
import { temporaryFolder } from "../support/supervisor.ts";

export const SESSION = "session_1";

/** Jobs with real processes over a real store. */
export async function startJobs(options: Partial<JobsOptions> = {}) {
	const folder = await temporaryFolder();
	const store = await openStore({ stateDir: join(folder, ".state"), clock: systemClock });
	const ledger = new ProcessLedger({ entries: 16 });
	const announced: Job[] = [];
	const warnings: string[] = [];
	const jobs = createJobs({
		store,
		clock: systemClock,
		sessionId: SESSION,
		env: { PATH: process.env.PATH ?? "" },
		ledger,
		outputPath: (_starter, id) => join(folder, "out", `${id}.txt`),
		announce: async (job) => announced.push(job) > 0,
		endStrays,
		onWarning: (text) => void warnings.push(text),
		times: { pollMs: 10, quietMs: 100, graceMs: 300 },
		...options,
	});
	onTestFinished(async () => {
		await jobs.close("the test ended");
		await store.close();
	});
	const run = (command: string, more: { readonly timeoutMs?: number } = {}) =>
		jobs.start({ command, cwd: folder, starters: ["lead"], ...more });
	/** Starts it and waits for its end. */
	const finish = async (command: string, more: { readonly timeoutMs?: number } = {}) => {
		const { id } = await run(command, more);
		// Without a limit of its own: the test's bounds it.
		await jobs.wait(id, 600_000);
		return jobs.get(id) as Job;
	};
	return { jobs, store, ledger, folder, announced, warnings, run, finish };
}

/** The real clock, except that timers of `ms` wait for the test: how much a busy machine has done by then is no guess. */
export function clockThatHolds(ms: number): { readonly clock: Clock; readonly release: () => void } {
	const held = new Set<() => void>();
	const clock: Clock = {
		...systemClock,
		after: (delayMs, callback, options) => {
			if (delayMs !== ms) return systemClock.after(delayMs, callback, options);
			held.add(callback);
			return { cancel: () => void held.delete(callback) };
		},
	};
	return {
		clock,
		release: () => {
			for (const callback of held) callback();
		},
	};
}
