// One job while it runs: follows its process and its output, and knows how it ended.

import type { Clock, TimerHandle } from "../lib/clock.ts";
import { createDeferred } from "../lib/deferred.ts";
import { isRunning, type Job, type JobRecord, type JobStatus } from "./job.ts";
import type { JobProcess, LeaderEnd } from "./job-process.ts";
import type { OutputFile } from "./output-file.ts";
import { findQuestion } from "./question.ts";

export interface JobTimes {
	/** Between two looks at the output. */
	readonly pollMs: number;
	/** How long an output stands still before its last line is read. */
	readonly quietMs: number;
	/** Between asking a job to end and ending it. */
	readonly graceMs: number;
}

export interface LiveJobOptions {
	readonly record: JobRecord;
	readonly process: JobProcess;
	readonly output: OutputFile;
	readonly clock: Clock;
	readonly times: JobTimes;
	/** Called once per question found. */
	onQuestion(job: Job): void;
}

interface Stop {
	readonly status: JobStatus;
	readonly reason: string;
}

/** How much of the end is read to find a question. */
const QUESTION_BYTES = 2_048;
/** How long a leader may outlive SIGKILL before the job is written off. */
const GIVE_UP_MS = 2_000;

export class LiveJob {
	/** Settles with the final record when the tree is gone and the output complete. Does not reject. */
	readonly ended: Promise<JobRecord>;
	readonly #options: LiveJobOptions;
	readonly #writtenOff = createDeferred<LeaderEnd>();
	readonly #timers: TimerHandle[] = [];
	#record: JobRecord;
	#stop: Stop | undefined;
	#question: string | undefined;
	#quietSinceMs: number;
	#looking: Promise<void> | undefined;

	constructor(options: LiveJobOptions) {
		const { clock, record, times } = options;
		this.#options = options;
		this.#record = record;
		this.#quietSinceMs = clock.monotonicMs();
		this.#timers.push(clock.every(times.pollMs, () => void this.look()));
		if (record.timeoutMs !== undefined) {
			const { timeoutMs } = record;
			const reason = `it ran longer than its ${timeoutMs / 1000} s`;
			this.#timers.push(clock.after(timeoutMs, () => void this.stop({ status: "timed-out", reason })));
		}
		this.ended = this.#follow();
	}

	get job(): Job {
		return { ...this.#record, ...(this.#question === undefined ? {} : { waitsForInput: this.#question }) };
	}

	/** Ends it; the first reason counts. Resolves as `ended` does. */
	async stop(stop: Stop): Promise<JobRecord> {
		if (!this.#stop && isRunning(this.#record)) {
			this.#stop = stop;
			const { process, times, clock } = this.#options;
			await process.endTree(times.graceMs);
			const gaveUp = { code: null, signal: null };
			this.#timers.push(clock.after(GIVE_UP_MS, () => this.#writtenOff.resolve(gaveUp), { keepAlive: true }));
		}
		return this.ended;
	}

	/** Looks at the output now. Called by a timer, and by whoever wants to know. */
	look(): Promise<void> {
		this.#looking ??= this.#lookOnce()
			.catch(() => {})
			.finally(() => {
				this.#looking = undefined;
			});
		return this.#looking;
	}

	async #lookOnce(): Promise<void> {
		const { output, process, clock, times } = this.#options;
		const wasCut = await output.cut(() => process.hold());
		const outputBytes = await output.size();
		if (wasCut || outputBytes !== this.#record.outputBytes) {
			this.#record = { ...this.#record, outputBytes, outputWasCut: this.#record.outputWasCut || wasCut };
			this.#quietSinceMs = clock.monotonicMs();
			this.#question = undefined;
			return;
		}
		if (this.#question !== undefined || clock.monotonicMs() - this.#quietSinceMs < times.quietMs) return;
		// Whatever it finds, it need not look again until the output has grown.
		this.#quietSinceMs = Number.POSITIVE_INFINITY;
		this.#question = findQuestion(await output.tail(QUESTION_BYTES));
		if (this.#question !== undefined && isRunning(this.#record)) this.#options.onQuestion(this.job);
	}

	async #follow(): Promise<JobRecord> {
		const { process, output, clock, times } = this.#options;
		const end = await Promise.race([process.exited, this.#writtenOff.promise]);
		await process.endTree(times.graceMs).catch(() => {});
		for (const timer of this.#timers) timer.cancel();
		await this.#looking;
		await this.#lookOnce().catch(() => {});
		await output.close().catch(() => {});
		this.#question = undefined;
		this.#record = { ...this.#record, ...describeEnd(end, this.#stop), endedAt: clock.now() };
		return this.#record;
	}
}

function describeEnd({ code, signal }: LeaderEnd, stop: Stop | undefined): Partial<JobRecord> {
	const exitCode = code === null ? {} : { exitCode: code };
	if (stop) return { ...stop, ...exitCode };
	if (code === null) return { status: "killed", reason: `ended by ${signal ?? "a signal"}` };
	return code === 0
		? { status: "completed", ...exitCode }
		: { status: "failed", reason: `exit code ${code}`, ...exitCode };
}
