// Many processes on one task board, with a killer. Usage: npm run bench -- task-board [PROCESSES TASKS KILLS]
// (16 500 50 if absent). Prints what came of it; exits 1 unless every task was completed exactly once.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readNumbers } from "./support/arguments.ts";
import { runCrashes } from "./tasks/crash-run.ts";
import { runTaskWorker } from "./tasks/worker.ts";

const args = process.argv.slice(2);
if (args[0] === "worker") await runTaskWorker(args[1] ?? "");
else await main();

async function main(): Promise<void> {
	const [processes = 16, tasks = 500, kills = 50] = readNumbers("task-board", [
		{ name: "PROCESSES", fallback: 16 },
		{ name: "TASKS", fallback: 500 },
		{ name: "KILLS", fallback: 50, least: 0 },
	]);
	const stateDir = mkdtempSync(join(tmpdir(), "clowder-bench-"));
	try {
		const report = await runCrashes({
			...{ stateDir, processes, tasks, kills },
			workerArgs: [process.argv[1] ?? "", "worker"],
		});
		const { completed, doubleCompletions, extraAttempts, troubles, elapsedMs } = report;
		for (const trouble of troubles) console.log(trouble);
		console.log(`${processes} processes, ${tasks} tasks, ${report.kills} kills, ${(elapsedMs / 1_000).toFixed(1)} s`);
		console.log(
			`completed ${completed}, twice ${doubleCompletions}, attempts lost ${extraAttempts}, troubles ${troubles.length}`,
		);
		const isRight = completed === tasks && doubleCompletions === 0 && extraAttempts === report.kills;
		process.exitCode = isRight && troubles.length === 0 ? 0 : 1;
	} finally {
		rmSync(stateDir, { recursive: true, force: true });
	}
}
