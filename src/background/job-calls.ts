// Answers the agents' calls about jobs, on main. Every failure is a text that says what to do.

import * as z from "zod";
import { isClowderError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { formatInputErrors } from "../tools/input-errors.ts";
import { describeJob } from "./job-texts.ts";
import { jobInputSchemas } from "./job-tools.ts";
import type { Jobs } from "./jobs.ts";

export interface JobCaller {
	readonly name: string;
	/** Its address, then those of the agents above it. */
	readonly addresses: readonly string[];
	/** Where it works. */
	readonly cwd: string;
	/** Of its commands. @default that of all agents */
	readonly env?: Readonly<Record<string, string>>;
	/** Aborts when the agent is gone. */
	readonly signal: AbortSignal;
}

export interface JobCallResult {
	readonly content: string;
	readonly isError: boolean;
}

export type JobCalls = (name: string, input: unknown, caller: JobCaller) => Promise<JobCallResult>;

const MAX_OUTPUT_BYTES = 30_000;

const startSchema = z.object({
	command: z.string().min(1),
	description: z.string().optional(),
	timeout_ms: z.number().int().positive().optional(),
});

export function createJobCalls(jobs: Jobs, clock: Clock): JobCalls {
	async function start(input: unknown, caller: JobCaller): Promise<JobCallResult> {
		const parsed = startSchema.safeParse(input);
		if (!parsed.success) return failed(formatInputErrors(parsed.error.issues, input));
		const { command, description, timeout_ms: timeoutMs } = parsed.data;
		const { addresses: starters, cwd, env } = caller;
		const job = await jobs.start({ command, cwd, description, timeoutMs, starters, env });
		return said(
			`Job started: ${job.id}\nOutput file: ${job.outputFile}\nYou are told when it ends. job_output shows what it printed so far, job_stop ends it; what the command leaves running when it ends is ended with it.`,
		);
	}

	async function show(input: unknown, caller: JobCaller): Promise<JobCallResult> {
		const parsed = jobInputSchemas.job_output.safeParse(input);
		if (!parsed.success) return failed(formatInputErrors(parsed.error.issues, input));
		const { job_id: id, wait_seconds: waitSeconds = 0 } = parsed.data;
		if (!jobs.get(id)) return unknown(id);
		await jobs.wait(id, waitSeconds * 1000, caller.signal);
		const output = await jobs.tail(id, MAX_OUTPUT_BYTES);
		const job = jobs.get(id);
		return job ? said(describeJob(job, output, clock.now())) : unknown(id);
	}

	async function stop(input: unknown, caller: JobCaller): Promise<JobCallResult> {
		const parsed = jobInputSchemas.job_stop.safeParse(input);
		if (!parsed.success) return failed(formatInputErrors(parsed.error.issues, input));
		const known = jobs.get(parsed.data.job_id);
		if (!known) return unknown(parsed.data.job_id);
		const [own = "", ...above] = caller.addresses;
		if (above.length > 0 && !known.starters.includes(own)) {
			return failed(`Error: job ${known.id} was started by another agent; a subagent ends its own jobs only`);
		}
		if (known.status !== "running") return said(`Job ${known.id} had ended already: ${known.status}`);
		const job = await jobs.stop(known.id, `stopped by ${caller.name}`);
		return said(`Job ${job.id} is ended: ${job.status}`);
	}

	function unknown(id: string): JobCallResult {
		const ids = jobs.list().map((job) => job.id);
		return failed(`Error: there is no job '${id}'. Jobs of this session: ${ids.join(", ") || "none"}`);
	}

	return async (name, input, caller) => {
		try {
			if (name === "start_job") return await start(input, caller);
			if (name === "job_output") return await show(input, caller);
			if (name === "job_stop") return await stop(input, caller);
			return failed(`Error: there is no call '${name}' for background jobs`);
		} catch (thrown) {
			if (!isClowderError(thrown)) throw thrown;
			return failed(`Error: ${thrown.message}`);
		}
	};
}

const said = (content: string): JobCallResult => ({ content, isError: false });
const failed = (content: string): JobCallResult => ({ content, isError: true });
