// What agents and people read about jobs.

import type { OutgoingEnvelope } from "../wire/envelope.ts";
import { isRunning, type Job } from "./job.ts";

/** How much of the end of an output goes into a notification. */
export const NOTIFIED_BYTES = 2_000;

const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
const oneLine = (text: string, most: number) => {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

/** `running for 3.2 s`, `failed (exit code 3) after 1.0 s` … */
export function describeStatus(job: Job, now: number): string {
	const lasted = seconds((job.endedAt ?? now) - job.startedAt);
	if (isRunning(job)) {
		const question =
			job.waitsForInput === undefined ? "" : `; it seems to wait for input: ${oneLine(job.waitsForInput, 120)}`;
		return `running for ${lasted}${question}`;
	}
	const exit = job.exitCode === undefined || job.status === "failed" ? "" : `, exit code ${job.exitCode}`;
	return `${job.status}${job.reason === undefined ? exit : ` (${job.reason}${exit})`} after ${lasted}`;
}

/** What `job_output` answers. */
export function describeJob(job: Job, output: string | undefined, now: number): string {
	const lines = [
		`Job ${job.id}: ${describeStatus(job, now)}`,
		`Command: ${oneLine(job.command, 200)}`,
		`Output file: ${job.outputFile} (${job.outputBytes} bytes${job.outputWasCut ? ", its middle was thrown away" : ""})`,
		"",
	];
	if (output === undefined) return [...lines, "(the output file cannot be read)"].join("\n");
	if (output.trim() === "") return [...lines, "(no output)"].join("\n");
	const cut = Buffer.byteLength(output) < job.outputBytes ? ["(the end of it)"] : [];
	return [...lines, ...cut, output.trimEnd()].join("\n");
}

/** One line per job, for `/jobs`. */
export function formatJobs(jobs: readonly Job[], now: number): string[] {
	if (jobs.length === 0) return ["No background jobs."];
	const lines = jobs.map(
		(job) => `  ${job.id}  ${describeStatus(job, now)}: ${oneLine(job.description ?? job.command, 80)}`,
	);
	return [`Background jobs (${jobs.length}):`, ...lines];
}

/** The envelope for an ended job, or for one that asks what nobody can answer. Delivered once: its id is the job's. */
export function jobNotification(job: Job, to: string, output: string | undefined): OutgoingEnvelope {
	const ended = !isRunning(job);
	const what = oneLine(job.description ?? job.command, 200);
	const how = ended
		? `${job.status}${job.reason === undefined ? "" : ` (${job.reason})`}`
		: "seems to wait for input, which it cannot get";
	const printed = output?.trim() ? output.trimEnd() : "(no output)";
	const reason = ended ? job.reason : "waits for input";
	return {
		id: `${ended ? "end" : "question"}-of-${job.id}`,
		kind: "notification",
		to,
		body: `Output file: ${job.outputFile}\n${printed}`,
		summary: `Background job ${what}: ${how}`.slice(0, 400),
		data: {
			jobId: job.id,
			status: job.status,
			...(reason === undefined ? {} : { reason }),
			...(job.exitCode === undefined ? {} : { exitCode: job.exitCode }),
			description: what,
		},
	};
}
