// A background job as it is recorded: one command in a process group of its own, started by an agent, owned by main.

import * as z from "zod";

export const JOB_STATUSES = ["running", "completed", "failed", "killed", "timed-out"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const jobRecordSchema = z.object({
	id: z.string(),
	sessionId: z.string(),
	/** Addresses that may be told of the end: the agent that started it, then those above it. */
	starters: z.array(z.string()),
	command: z.string(),
	description: z.string().optional(),
	cwd: z.string(),
	/** Holds stdout and stderr in their order; always there. */
	outputFile: z.string(),
	status: z.enum(JOB_STATUSES),
	/** The command's own; absent while it runs, and when a signal ended it. */
	exitCode: z.number().int().optional(),
	/** Why it is not `completed`, in a few words. */
	reason: z.string().optional(),
	timeoutMs: z.number().optional(),
	/** Bytes in the output file, and whether its middle was thrown away because it grew beyond its cap. */
	outputBytes: z.number(),
	outputWasCut: z.boolean(),
	/** An agent was told of the end. */
	wasTold: z.boolean(),
	/** Milliseconds since the Unix epoch, as is the next. */
	startedAt: z.number(),
	endedAt: z.number().optional(),
});
/** The durable facts of one background job. */
export type JobRecord = z.infer<typeof jobRecordSchema>;

/** A job as it is now. */
export interface Job extends JobRecord {
	/** The last line of an output that stands still and looks like a question. Nobody can answer it: stdin is empty. */
	readonly waitsForInput?: string;
}

export const isRunning = ({ status }: Pick<JobRecord, "status">): boolean => status === "running";
