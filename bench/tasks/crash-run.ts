// Lets several processes empty one task board while some of them are killed with a task in their hands, and
// counts what came of it. The unit tests run a small one, `npm run bench -- task-board` a large one.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/store.ts";
import { createTaskBoard } from "../../src/tasks/task-board.ts";

export interface CrashRunOptions {
	readonly stateDir: string;
	readonly processes: number;
	readonly tasks: number;
	readonly kills: number;
	/** Arguments for Node that start `runTaskWorker` with the state folder. */
	readonly workerArgs: readonly string[];
}

export interface CrashRunReport {
	readonly completed: number;
	readonly kills: number;
	/** Attempts beyond the first, over all tasks: one for each kill. */
	readonly extraAttempts: number;
	/** Times a task was completed more than once. */
	readonly doubleCompletions: number;
	/** What workers reported or wrote to standard error, and workers that ended in another way than agreed. */
	readonly troubles: readonly string[];
	readonly elapsedMs: number;
}

export async function runCrashes(options: CrashRunOptions): Promise<CrashRunReport> {
	const { stateDir, processes, tasks, kills } = options;
	await fillBoard(stateDir, tasks);
	const startedMs = systemClock.monotonicMs();
	const completions = new Map<string, number>();
	const troubles: string[] = [];
	let killed = 0;
	let claims = 0;

	/** Whether the claim that was just made is to be its worker's last. Spread over the whole run. */
	function decidesToKill(): boolean {
		claims += 1;
		return killed < kills && claims >= ((killed + 1) * tasks) / (kills + 1);
	}

	function work(): Promise<void> {
		return new Promise((resolve) => {
			const child = startWorker(options);
			let isKilled = false;
			child.stderr.on("data", (chunk: Buffer) => troubles.push(chunk.toString()));
			createInterface({ input: child.stdout }).on("line", (line) => {
				const [step = "", id = ""] = line.split(" ");
				if (step === "wrong") troubles.push(line);
				if (step === "completed") completions.set(id, (completions.get(id) ?? 0) + 1);
				if (step !== "claimed") return;
				if (decidesToKill()) {
					isKilled = true;
					killed += 1;
					child.kill("SIGKILL");
				} else child.stdin.write("go\n");
			});
			child.on("close", (code, signal) => {
				if (!isKilled && code !== 0) troubles.push(`a worker ended with ${code ?? signal}`);
				resolve(isKilled ? work() : undefined);
			});
		});
	}

	await Promise.all(Array.from({ length: processes }, work));
	return {
		...(await countBoard(stateDir)),
		kills: killed,
		troubles,
		elapsedMs: systemClock.monotonicMs() - startedMs,
		doubleCompletions: [...completions.values()].filter((times) => times > 1).length,
	};
}

function startWorker({ stateDir, workerArgs }: CrashRunOptions): ChildProcessWithoutNullStreams {
	const child = spawn(process.execPath, [...workerArgs, stateDir], { stdio: ["pipe", "pipe", "pipe"] });
	// A worker that dies while it is being written to has closed its pipe: its end is told by `close`.
	child.stdin.on("error", () => {});
	return child;
}

/** Every third task waits for the two before it: the board is neither a list nor a heap. */
async function fillBoard(stateDir: string, count: number): Promise<void> {
	const store = await openStore({ stateDir, clock: systemClock });
	const board = createTaskBoard({ store, clock: systemClock, sessionId: "filler" });
	await Promise.all(
		Array.from({ length: count }, (_, at) => {
			const blockedBy = at % 3 === 2 ? [`t${at - 1}`, `t${at}`] : [];
			return board.create({ title: `task ${at + 1}`, blockedBy });
		}),
	);
	await store.close();
}

async function countBoard(stateDir: string): Promise<Pick<CrashRunReport, "completed" | "extraAttempts">> {
	const store = await openStore({ stateDir, clock: systemClock });
	const all = createTaskBoard({ store, clock: systemClock, sessionId: "counter" }).list();
	await store.close();
	return {
		completed: all.filter((task) => task.status === "COMPLETED").length,
		extraAttempts: all.reduce((sum, task) => sum + task.attempt - 1, 0),
	};
}
