// Ties the background jobs to the runs: who started one, whom its end concerns, where its output goes.

import { join } from "node:path";
import type { Job } from "../../background/job.ts";
import { createJobCalls } from "../../background/job-calls.ts";
import { jobNotification, NOTIFIED_BYTES } from "../../background/job-texts.ts";
import { createJobs, type Jobs } from "../../background/jobs.ts";
import type { MessageBus } from "../../bus/contract.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import { endStrays } from "../../supervision/end-strays.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import { ProcessLedger } from "../../supervision/process-ledger.ts";
import type { OutgoingEnvelope } from "../../wire/envelope.ts";
import { guardExit } from "../exit-guard.ts";
import { addressOf } from "./mail.ts";
import type { RoomHandler } from "./room-calls.ts";

const MAX_RUNNING = 32;

export interface BackgroundParts {
	readonly store: Store;
	readonly clock: Clock;
	readonly sessionId: string;
	readonly env: Readonly<Record<string, string>>;
	readonly outputDir: string;
	readonly bus: MessageBus;
	/** Where a run works. */
	cwdOf(run: LiveRun): string;
	/** The environment of what a run starts. */
	envOf(run: LiveRun): Readonly<Record<string, string>>;
	onWarning(text: string): void;
}

export interface Background {
	readonly jobs: Jobs;
	readonly call: RoomHandler;
	/** What an agent has to be told of jobs that have ended, whether it was told before or not. */
	endsFor(address: string): Promise<OutgoingEnvelope[]>;
	close(why: string): Promise<void>;
}

export function createBackground(parts: BackgroundParts): Background {
	const { bus, clock } = parts;
	// One ledger for jobs alone: a run's end must not take them along.
	const ledger = new ProcessLedger({ entries: MAX_RUNNING * 2 });
	const unguard = guardExit(ledger);
	const jobs = createJobs({
		store: parts.store,
		clock,
		sessionId: parts.sessionId,
		env: parts.env,
		ledger,
		maxRunning: MAX_RUNNING,
		outputPath: (_starter, id) => join(parts.outputDir, `${id}.txt`),
		announce,
		endStrays,
		onWarning: parts.onWarning,
	});
	const calls = createJobCalls(jobs, clock);

	/** Tells the agent that started it; when that has ended as well, the nearest one above it. */
	async function announce(job: Job): Promise<boolean> {
		const open = new Set(bus.addresses());
		const to = job.starters.find((address) => open.has(address));
		if (to === undefined) return false;
		await bus.send("supervisor", await toEnvelope(job, to));
		return true;
	}

	async function toEnvelope(job: Job, to: string): Promise<OutgoingEnvelope> {
		return jobNotification(job, to, await jobs.tail(job.id, NOTIFIED_BYTES));
	}

	return {
		jobs,
		call: (run, name, input) =>
			calls(name, input, {
				...{ name: run.spec.name, addresses: addressesAbove(run), signal: run.abort.signal },
				...{ cwd: parts.cwdOf(run), env: parts.envOf(run) },
			}),
		endsFor: (address) => {
			const ended = jobs.list().filter((job) => isMissed(job, address));
			return Promise.all(ended.map((job) => toEnvelope(job, address)));
		},
		close: async (why) => {
			await jobs.close(why);
			unguard();
		},
	};
}

// An end that a subagent was told of concerns nobody else; one of the agent's own jobs is known by its id if it was told.
function isMissed(job: Job, address: string): boolean {
	if (job.status === "running" || job.starters.at(-1) !== address) return false;
	return job.starters.length === 1 || !job.wasTold;
}

/** An agent's address, then those of its parents. */
function addressesAbove(run: LiveRun): string[] {
	return [addressOf(run), ...(run.parent ? addressesAbove(run.parent) : [])];
}
