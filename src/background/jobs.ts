// The background jobs of one session, owned by main: they outlive the turn and the thread of the agent that started
// them, and end with the session. Nobody hears of a job's end before the end is durable.

import { ClowderError, messageOf } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { Store } from "../store/store.ts";
import type { ProcessLedger } from "../supervision/process-ledger.ts";
import { findShell } from "../tools/process/find-shell.ts";
import type { Job, JobRecord } from "./job.ts";
import { startJobProcess } from "./job-process.ts";
import { createJobStore } from "./job-store.ts";
import { type JobTimes, LiveJob } from "./live-job.ts";
import { createOutputFile, readEnd } from "./output-file.ts";

export interface JobsOptions {
	readonly store: Store;
	readonly clock: Clock;
	readonly sessionId: string;
	/** Environment of the commands; holds no provider credentials. */
	readonly env: Readonly<Record<string, string>>;
	/** A ledger of its own: jobs end with the session, not with a run. Also guarded at exit. */
	readonly ledger: ProcessLedger;
	/** Where the output of a job goes. */
	outputPath(starter: string, jobId: string): string;
	/** Tells an agent of an end, or of a question that nobody can answer; false when there is nobody to tell. */
	announce(job: Job): Promise<boolean>;
	endStrays(ids: readonly string[]): Promise<unknown>;
	onWarning(text: string): void;
	/** Jobs that run at once. @default 32 */
	readonly maxRunning?: number;
	/** Bytes of an output file. @default 8_388_608 */
	readonly maxOutputBytes?: number;
	readonly times?: Partial<JobTimes>;
}

export interface WantedJob {
	readonly command: string;
	readonly cwd: string;
	readonly description?: string | undefined;
	readonly timeoutMs?: number | undefined;
	readonly starters: readonly string[];
	/** @default that of all jobs */
	readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface Jobs {
	/** Resolves when it runs and is on record. @throws ERR_BAD_INPUT, ERR_CLOSED */
	start(wanted: WantedJob): Promise<Job>;
	get(id: string): Job | undefined;
	/** Of this session, oldest first. */
	list(): Job[];
	/** Ends a job and all it started. @throws ERR_BAD_INPUT for an unknown id */
	stop(id: string, why: string): Promise<Job>;
	/** Resolves at the end of the job, or after the time, or when the signal aborts. */
	wait(id: string, timeMs: number, signal?: AbortSignal): Promise<void>;
	/** The end of a job's output, at most so many bytes; undefined when it cannot be read. */
	tail(id: string, maxBytes: number): Promise<string | undefined>;
	/** Ends all of them. */
	close(why: string): Promise<void>;
}

const TIMES: JobTimes = { pollMs: 100, quietMs: 5_000, graceMs: 1_000 };

export function createJobs(options: JobsOptions): Jobs {
	const { clock, sessionId, maxRunning = 32, maxOutputBytes = 8 * 1024 * 1024 } = options;
	const store = createJobStore(options.store);
	const records = new Map<string, JobRecord>(store.list(sessionId).map((record) => [record.id, record]));
	const live = new Map<string, LiveJob>();
	const settling = new Set<Promise<void>>();
	let lastRow = 0;
	let starting = 0;
	let closed = false;

	async function start(wanted: WantedJob): Promise<Job> {
		if (closed) throw new ClowderError("ERR_CLOSED", "the session is ending; no job can be started");
		if (live.size + starting >= maxRunning) {
			throw new ClowderError("ERR_BAD_INPUT", `${maxRunning} background jobs are running already`, {
				remedy: "Stop one with job_stop",
			});
		}
		starting += 1;
		try {
			return await startOne(wanted);
		} finally {
			starting -= 1;
		}
	}

	async function startOne({ command, cwd, description, timeoutMs, starters, env }: WantedJob): Promise<Job> {
		const id = newId("job");
		const outputFile = options.outputPath(starters[0] ?? "host", id);
		const output = await createOutputFile(outputFile, maxOutputBytes);
		const record: JobRecord = {
			...{ id, sessionId, starters: [...starters], command, cwd, outputFile },
			...(description === undefined ? {} : { description }),
			...(timeoutMs === undefined ? {} : { timeoutMs }),
			...{ status: "running", outputBytes: 0, outputWasCut: false, wasTold: false, startedAt: clock.now() },
		};
		// Order: on record before it runs, so that a crash in between leaves the id that finds its processes.
		await store.put(record);
		try {
			lastRow += 1;
			const process = await startJobProcess({
				...{ jobId: id, key: { row: lastRow, epoch: 1 }, ledger: options.ledger, shell: await findShell() },
				...{ command, cwd, env: env ?? options.env, outputFd: output.fd, clock, endStrays: options.endStrays },
			});
			return follow(record, new LiveJob({ record, process, output, clock, times, onQuestion })).job;
		} catch (thrown) {
			await output.close();
			const failed: JobRecord = { ...record, status: "failed", reason: messageOf(thrown), endedAt: clock.now() };
			records.set(id, failed);
			await store.put(failed);
			throw thrown;
		}
	}

	const times = { ...TIMES, ...options.times };
	const onQuestion = (job: Job) => void announce(job);

	function follow(record: JobRecord, job: LiveJob): LiveJob {
		records.set(record.id, record);
		live.set(record.id, job);
		const settled = settle(job).finally(() => settling.delete(settled));
		settling.add(settled);
		// Race: the session may have begun to end while this one was being started.
		if (closed) void job.stop({ status: "killed", reason: "the session ended" });
		return job;
	}

	async function settle(job: LiveJob): Promise<void> {
		const record = await job.ended;
		await save(record);
		live.delete(record.id);
		if (await announce(record)) await save({ ...record, wasTold: true });
	}

	async function save(record: JobRecord): Promise<void> {
		records.set(record.id, record);
		try {
			await store.put(record);
		} catch (thrown) {
			options.onWarning(`The record of ${record.id} was not saved: ${messageOf(thrown)}`);
		}
	}

	async function announce(job: Job): Promise<boolean> {
		try {
			return await options.announce(job);
		} catch (thrown) {
			options.onWarning(`Nobody was told of ${job.id}: ${messageOf(thrown)}`);
			return false;
		}
	}

	const get = (id: string): Job | undefined => live.get(id)?.job ?? records.get(id);

	return {
		start,
		get,
		list: () => [...records.keys()].map((id) => get(id) as Job),
		async stop(id, why) {
			const known = get(id);
			if (!known) throw new ClowderError("ERR_BAD_INPUT", `there is no job '${id}'`);
			await live.get(id)?.stop({ status: "killed", reason: why });
			return get(id) ?? known;
		},
		async wait(id, timeMs, signal) {
			const job = live.get(id);
			if (!job || timeMs <= 0) return job?.look();
			await firstOf(job.ended, timeMs, signal, clock);
		},
		async tail(id, maxBytes) {
			const job = get(id);
			return job && (await readEnd(job.outputFile, maxBytes))?.text;
		},
		async close(why) {
			closed = true;
			await Promise.all([...live.values()].map((job) => job.stop({ status: "killed", reason: why })));
			await Promise.all(settling);
		},
	};
}

function firstOf(
	ended: Promise<unknown>,
	timeMs: number,
	signal: AbortSignal | undefined,
	clock: Clock,
): Promise<void> {
	return new Promise((resolve) => {
		const timer = clock.after(timeMs, resolve, { keepAlive: true });
		const done = () => {
			timer.cancel();
			resolve();
		};
		signal?.addEventListener("abort", done, { once: true });
		void ended.then(done);
	});
}
