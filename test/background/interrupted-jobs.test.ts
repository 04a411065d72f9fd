import { describe, expect, it } from "vitest";
import { endInterruptedJobs } from "../../src/background/interrupted-jobs.ts";
import type { JobRecord } from "../../src/background/job.ts";
import { createJobStore } from "../../src/background/job-store.ts";
import { openTestStore } from "../store/open-store.ts";

const owner = { pid: 7, startedAt: "then" };
const job = (id: string, sessionId: string): JobRecord => ({
	id,
	sessionId,
	starters: ["lead"],
	command: "sleep 600",
	cwd: "/",
	outputFile: `/out/${id}.txt`,
	status: "running",
	outputBytes: 0,
	outputWasCut: false,
	wasTold: false,
	startedAt: 1,
});

describe("Jobs of a process that is gone", () => {
	it("are ended by their mark and recorded as interrupted, once; those of a living one are let be", async () => {
		const { store } = await openTestStore();
		await store.sessions.start({ id: "dead", cwd: "/", owner });
		await store.sessions.start({ id: "alive", cwd: "/", owner: { ...owner, pid: 8 } });
		const jobs = createJobStore(store);
		await jobs.put(job("job_1", "dead"));
		await jobs.put({ ...job("job_2", "dead"), status: "completed" });
		await jobs.put(job("job_3", "alive"));
		const ended: string[] = [];
		const end = () =>
			endInterruptedJobs({
				store,
				now: () => 99,
				isSessionOpen: async ({ id }) => id === "alive",
				endStrays: async (ids) => ended.push(...ids),
			});
		expect(await end()).toMatchObject([{ id: "job_1", status: "killed", reason: "interrupted", endedAt: 99 }]);
		expect(ended).toEqual(["job_1"]);
		expect(await end()).toEqual([]);
		expect(jobs.list("alive")).toMatchObject([{ id: "job_3", status: "running" }]);
		await store.close();
	});

	it("stay with a process that has taken the session over meanwhile", async () => {
		const { store } = await openTestStore();
		const seen = await store.sessions.start({ id: "s1", cwd: "/", owner });
		const jobs = createJobStore(store);
		await jobs.put(job("job_1", "s1"));
		await store.sessions.start({ id: "s1", cwd: "/", owner: { ...owner, pid: 8 } });
		expect(await jobs.endRunning("s1", seen, 99)).toEqual([]);
		await store.close();
	});
});
