import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runCrashes } from "../../bench/tasks/crash-run.ts";
import { buildFixture } from "../store/child.ts";
import { makeTempDir } from "../store/temp-dir.ts";

let worker: string;

beforeAll(async () => {
	worker = await buildFixture(new URL("./fixtures/task-worker.ts", import.meta.url), "task-worker");
	return () => rmSync(dirname(worker), { recursive: true, force: true });
});

test("completes every task once although processes are killed with a task in their hands", {
	timeout: 60_000,
}, async () => {
	const stateDir = makeTempDir();
	const report = await runCrashes({ stateDir, processes: 4, tasks: 60, kills: 8, workerArgs: [worker] });
	expect(report).toMatchObject({ completed: 60, kills: 8, extraAttempts: 8, doubleCompletions: 0, troubles: [] });
});
