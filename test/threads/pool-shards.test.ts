import { expect, it } from "vitest";
import { say, startSupervisor, until } from "../support/supervisor.ts";

// More threads than one small pool has.
const THREADS = 20;

it("gives runs the threads there are, in whichever small pool they are, and starts no more than allowed", async () => {
	const { supervisor } = await startSupervisor(
		{ slow: [say("late", { delayMs: 600_000 })], "*": [say("done", { delayMs: 20 })] },
		{ maxConcurrent: THREADS, maxThreads: THREADS, warmThreads: 2 },
	);
	const spawn = (description: string) => supervisor.spawn({ description, prompt: "go" });
	const slow = Array.from({ length: THREADS }, () => spawn("slow"));
	await until(() => slow.every(({ record }) => record.threadId !== undefined));
	expect(new Set(slow.map(({ record }) => record.threadId)).size).toBe(THREADS);

	const quick = Array.from({ length: THREADS + 5 }, () => spawn("quick"));
	await Promise.all(slow.map((run) => run.cancel("enough")));
	for (const run of slow) expect(await run.result()).toMatchObject({ status: "FAILED", reason: "cancelled" });
	for (const run of quick) expect(await run.result()).toMatchObject({ status: "COMPLETED", finalText: "done" });
	const threads = new Set([...slow, ...quick].map(({ record }) => record.threadId));

	// One after the other they find a thread that is idle.
	for (let n = 0; n < 3; n += 1) {
		const run = spawn("quick");
		await run.result();
		expect(threads).toContain(run.record.threadId);
	}
	expect(supervisor.status()).toMatchObject({ running: 0, queued: 0, lostThreads: 0 });
});
