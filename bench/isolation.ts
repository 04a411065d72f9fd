// What agents that misbehave cost everybody else.
//
//   npm run bench -- isolation
//
// For each way to misbehave: how long until the run was recorded as FAILED, and by how much a 10 ms timer of the main
// thread was late at worst meanwhile, while two well-behaved agents worked beside it. Then: how long the process of a
// bash call outlives the run that was cancelled.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSupervisor } from "../src/runtime/create-supervisor.ts";
import { helpIfWanted } from "./support/arguments.ts";

helpIfWanted("isolation");
const MISBEHAVIOURS = [
	"spin",
	"block",
	"exit",
	"throw_later",
	"reject_unhandled",
	"exhaust_heap",
	"exhaust_heap_at_once",
	"hang",
];
const folder = await mkdtemp(join(tmpdir(), "clowder-bench-"));
const sleeper = { toolUses: [{ name: "bash", input: { command: "echo $$ > pid; sleep 600", timeout_ms: 600_000 } }] };
const supervisor = await createSupervisor({
	cwd: folder,
	stateDir: join(folder, ".state"),
	model: {
		provider: "scripted",
		script: {
			agents: {
				...Object.fromEntries(MISBEHAVIOURS.map((name) => [name, [{ toolUses: [{ name, input: {} }] }]])),
				good: Array.from({ length: 20 }, () => ({
					delayMs: 50,
					toolUses: [{ name: "todo_write", input: { todos: [] } }],
				})),
				sleeper: [sleeper],
			},
			afterEnd: "repeat",
		},
	},
	tools: [{ module: new URL("../test/fixtures/tools/misbehave.mjs", import.meta.url) }],
	permissions: { mode: "bypassPermissions" },
	limits: { unresponsiveMs: 2_000, graceMs: 500, heapMb: 64 },
	warmThreads: 3,
});

/** The worst lateness of a 10 ms timer while `work` runs, in ms. */
async function worstDrift(work: () => Promise<void>): Promise<number> {
	let worst = 0;
	let last = performance.now();
	const timer = setInterval(() => {
		const now = performance.now();
		worst = Math.max(worst, now - last - 10);
		last = now;
	}, 10);
	await work();
	clearInterval(timer);
	return worst;
}

console.log(
	`${"misbehaviour".padEnd(24)}${"reason".padEnd(16)}${"FAILED after ms".padStart(16)}${"timer late ms".padStart(16)}`,
);
for (const name of MISBEHAVIOURS) {
	const good = [1, 2].map(() => supervisor.spawn({ description: "good", prompt: "go", limits: { turns: 20 } }));
	let took = 0;
	let reason = "";
	const drift = await worstDrift(async () => {
		const startedAt = performance.now();
		const limits = name.startsWith("exhaust") ? { unresponsiveMs: 60_000 } : name === "hang" ? { wallMs: 1_000 } : {};
		const result = await supervisor.spawn({ description: name, prompt: "go", limits }).result();
		took = performance.now() - startedAt;
		reason = result.reason;
	});
	await Promise.all(good.map((run) => run.cancel()));
	console.log(`${name.padEnd(24)}${reason.padEnd(16)}${took.toFixed(0).padStart(16)}${drift.toFixed(1).padStart(16)}`);
}

const run = supervisor.spawn({ description: "sleeper", prompt: "go" });
let pid = 0;
while (!pid) {
	pid = Number(await readFile(join(folder, "pid"), "utf8").catch(() => "0"));
	await new Promise((resolve) => setTimeout(resolve, 20));
}
const cancelledAt = performance.now();
await run.cancel();
const isAlive = async () => /^\d+ \(.*\) [^Z]/.test(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""));
while (await isAlive()) await new Promise((resolve) => setTimeout(resolve, 10));
console.log(`\nprocess of a cancelled run gone after ${(performance.now() - cancelledAt).toFixed(0)} ms`);
console.log(`running: ${supervisor.status().running}, lost threads: ${supervisor.status().lostThreads}`);
await supervisor.close();
await rm(folder, { recursive: true, force: true });
