import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { fixture, openSupervisor, say, startSupervisor, until } from "../support/supervisor.ts";

const canCount = process.platform === "linux";
if (!canCount) console.warn("Skipped: open file descriptors can be counted under Linux's /proc alone");
const countOpen = () => readdirSync("/proc/self/fd").length;
const agents = { "*": [say("done", { delayMs: 600_000 })] };

describe("Threads that are ended while they load their modules", () => {
	it.skipIf(!canCount)("leave no file open, whether their run is cancelled or the supervisor closes", async () => {
		// The first supervisor opens what stays open for the process.
		await (await openSupervisor(agents)).close();
		const before = countOpen();
		// Its clock stands still: no thread is ended for taking too long on a busy machine.
		const options = {
			...{ tools: [{ module: fixture("reads-at-start.mjs") }], clock: createFakeClock() },
			...{ limits: { graceMs: 1 }, maxConcurrent: 4 },
		};
		for (const how of ["cancel", "cancel", "close", "close"]) {
			const { supervisor, close } = await openSupervisor(agents, options);
			const runs = Array.from({ length: 4 }, () => supervisor.spawn({ description: "d", prompt: "p" }));
			await until(() => runs.every(({ record }) => record.threadId !== undefined));
			if (how === "cancel") await Promise.all(runs.map((run) => run.cancel("changed my mind")));
			await close();
		}
		await until(() => countOpen() <= before);
	});

	it("are ended all the same when they never come to the end of it", async () => {
		const { supervisor } = await startSupervisor(agents, { tools: [{ module: fixture("slow-import.mjs") }] });
		const run = supervisor.spawn({ description: "d", prompt: "p" });
		// Its thread may have no time to say which it is before the module keeps it.
		await until(() => run.record.status === "RUNNING");
		await run.cancel("changed my mind");
		expect(await run.result()).toMatchObject({ status: "FAILED", reason: "cancelled", error: "changed my mind" });
		await supervisor.close();
		expect(supervisor.status()).toMatchObject({ threads: 0, lostThreads: 0 });
	});
});
