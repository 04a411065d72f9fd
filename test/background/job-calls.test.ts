import { expect, it } from "vitest";
import { createJobCalls } from "../../src/background/job-calls.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { startJobs } from "./setup.ts";

it("lets a subagent end its own jobs only, and an agent that nobody started all of them", async () => {
	const { jobs, folder } = await startJobs();
	const calls = createJobCalls(jobs, systemClock);
	const caller = (...addresses: string[]) => ({
		name: "a",
		cwd: folder,
		addresses,
		signal: new AbortController().signal,
	});
	const start = async (...starters: string[]) => (await jobs.start({ command: "sleep 600", cwd: folder, starters })).id;
	const [ofLead, ofOne, ofTwo] = [await start("lead"), await start("task_1", "lead"), await start("task_2", "lead")];
	const stop = (id: string, ...addresses: string[]) => calls("job_stop", { job_id: id }, caller(...addresses));
	for (const id of [ofLead, ofTwo]) {
		expect(await stop(id, "task_1", "lead")).toEqual({
			content: `Error: job ${id} was started by another agent; a subagent ends its own jobs only`,
			isError: true,
		});
	}
	expect((await stop(ofOne, "task_1", "lead")).isError).toBe(false);
	expect((await stop(ofTwo, "lead")).isError).toBe(false);
});

it("starts a command where main knows the agent to work, whatever its thread asks for", async () => {
	const { jobs, folder } = await startJobs();
	const calls = createJobCalls(jobs, systemClock);
	const caller = { name: "a", cwd: folder, addresses: ["lead"], signal: new AbortController().signal };
	const started = await calls("start_job", { command: "true", cwd: "/" }, caller);
	expect(started.isError).toBe(false);
	expect(jobs.list().map(({ cwd }) => cwd)).toEqual([folder]);
});
