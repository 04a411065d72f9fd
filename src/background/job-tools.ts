// The job tools as an agent has them. They run in the agent's thread and only pass the call on: jobs are main's.

import * as z from "zod/mini";
import { optionalCount, requiredText } from "../tools/input-fields.ts";
import { createRoomTools } from "../tools/room-tool.ts";

/** The room that main answers for these tools, and for `bash` with run_in_background. */
export const JOB_ROOM = "background";
export const MAX_WAIT_SECONDS = 600;

const jobId = () => requiredText("job_id", "Id of the job, as bash answered it");

export const jobInputSchemas = {
	job_output: z.object({
		job_id: jobId(),
		wait_seconds: optionalCount("wait_seconds", "Waits that long for the end of the job", {
			minimum: 0,
			maximum: MAX_WAIT_SECONDS,
		}),
	}),
	job_stop: z.object({ job_id: jobId() }),
};
export type JobToolName = keyof typeof jobInputSchemas;

const DESCRIPTIONS: Readonly<Record<JobToolName, string>> = {
	job_output:
		"Tells how a background job is doing and the end of what it printed. You are told of every end by itself: do not poll.",
	job_stop: "Ends a background job and every process it started.",
};

export const jobTools = createRoomTools({
	room: JOB_ROOM,
	inputSchemas: jobInputSchemas,
	descriptions: DESCRIPTIONS,
	readOnly: ["job_output"],
});
