// A thread per agent against one thread for all: the same agent loop, tools and model calls.
//
//   npm run bench -- many-agents [agents=200] [turns=5] [delayMs=200] [rounds=5] [http|scripted] [warmUps=10]
//
// A: every agent in a worker thread of its own, from a warm pool, with records, transcripts and permissions as in
// production. B: every agent as a promise in this one thread, with nothing around the loop but the records that a
// program keeps which loses nothing: the run in LMDB and a transcript, through the same code. C: as B, and nothing is
// kept. All answer every call after delayMs: `http` (the default) through the Anthropic SDK from a Messages server in a
// process of its own, which A calls from its gateway thread and B and C from the one thread they have; `scripted` from
// a script, without any HTTP.
// Each thread compiles the code for itself: the first warmUps rounds of all three are not counted.
// Printed per round: wall time, CPU time of this process per agent, and the delay of the main thread's event loop
// (p99 and worst) while the agents work.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createSupervisor } from "../src/runtime/create-supervisor.ts";
import type { ModelConfig, ScriptedReply } from "../src/wire/model-config.ts";
import { runAgentsAsPromises } from "./support/agents-as-promises.ts";
import { median, readNumbers } from "./support/arguments.ts";
import { serveReplies, startServerProcess } from "./support/server-process.ts";
import { openRecords } from "./support/store-records.ts";

const args = process.argv.slice(2);
const [agents = 200, turns = 5, delayMs = 200, rounds = 5, , warmUps = 10] = readNumbers("many-agents", [
	{ name: "agents", fallback: 200 },
	{ name: "turns", fallback: 5 },
	{ name: "delayMs", fallback: 200, least: 0 },
	{ name: "rounds", fallback: 5 },
	{ name: "the model", oneOf: ["http", "scripted"] },
	{ name: "warmUps", fallback: 10, least: 0 },
]);

const todo: ScriptedReply = {
	delayMs,
	toolUses: [{ name: "todo_write", input: { todos: [{ content: "one step", status: "in_progress" }] } }],
};
const replies: ScriptedReply[] = [...Array.from({ length: turns - 1 }, () => todo), { delayMs, text: "done" }];
// In the server's process this serves and never returns.
await serveReplies(replies);
const server = args[4] === "scripted" ? undefined : await startServerProcess(args);
const model: ModelConfig = server
	? { provider: "anthropic", model: "claude-bench", baseUrl: server.url, apiKey: "none", maxConnections: agents }
	: { provider: "scripted", script: { agents: { "*": replies } } };

interface Measured {
	readonly wallMs: number;
	readonly cpuMsPerAgent: number;
	readonly p99Ms: number;
	readonly worstMs: number;
}

async function measure(work: () => Promise<void>): Promise<Measured> {
	const delay = monitorEventLoopDelay({ resolution: 1 });
	const cpu = process.cpuUsage();
	const startedAt = performance.now();
	delay.enable();
	await work();
	delay.disable();
	const wallMs = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpu);
	return {
		wallMs,
		cpuMsPerAgent: (user + system) / 1000 / agents,
		p99Ms: delay.percentile(99) / 1e6,
		worstMs: delay.max / 1e6,
	};
}

function show(name: string, rows: readonly Measured[]): Measured {
	const middle: Measured = {
		wallMs: median(rows.map((row) => row.wallMs)),
		cpuMsPerAgent: median(rows.map((row) => row.cpuMsPerAgent)),
		p99Ms: median(rows.map((row) => row.p99Ms)),
		worstMs: median(rows.map((row) => row.worstMs)),
	};
	const cells = (row: Measured) =>
		[row.wallMs.toFixed(0), row.cpuMsPerAgent.toFixed(1), row.p99Ms.toFixed(1), row.worstMs.toFixed(1)]
			.map((cell) => cell.padStart(14))
			.join("");
	for (const row of rows) console.log(`${name.padEnd(26)}${cells(row)}`);
	console.log(`${`${name} median`.padEnd(26)}${cells(middle)}`);
	return middle;
}

// The promises have no thread that would keep the process alive while they wait for the model.
const keepAlive = setInterval(() => {}, 1_000_000);
const folder = await mkdtemp(join(tmpdir(), "clowder-bench-"));
console.log(
	`${agents} agents, ${turns} turns each, ${delayMs} ms per model call (${model.provider}), Node ${process.versions.node}`,
);
console.log(
	`${"".padEnd(26)}${["wall ms", "cpu ms/agent", "p99 ms", "worst ms"].map((title) => title.padStart(14)).join("")}`,
);

const supervisor = await createSupervisor({
	cwd: folder,
	stateDir: join(folder, "state"),
	model,
	maxConcurrent: agents,
	warmThreads: agents,
	permissions: { mode: "bypassPermissions" },
});
const runInThreads = async () => {
	const runs = Array.from({ length: agents }, (_, n) => supervisor.spawn({ description: `agent ${n}`, prompt: "go" }));
	for (const run of runs) {
		const { status, error } = await run.result();
		if (status !== "COMPLETED") throw new Error(`A run failed: ${error}`);
	}
};
const records = await openRecords(join(folder, "promises"));
const runRecorded = () => runAgentsAsPromises({ agents, model, folder, recordsOf: records.recordsOf });
const runBare = () => runAgentsAsPromises({ agents, model, folder });
// The first rounds start the threads and warm the code of each; they are not counted, for any side.
for (let round = 0; round < warmUps; round += 1) {
	await runInThreads();
	await runRecorded();
	await runBare();
}
const inThreads: Measured[] = [];
const recorded: Measured[] = [];
const bare: Measured[] = [];
for (let round = 0; round < rounds; round += 1) {
	inThreads.push(await measure(runInThreads));
	recorded.push(await measure(runRecorded));
	bare.push(await measure(runBare));
}
const threads = show("threads", inThreads);
const promises = show("promises, records", recorded);
const barePromises = show("promises, bare", bare);
console.log(`\nwall time, threads / promises with records: ${(threads.wallMs / promises.wallMs).toFixed(2)}`);
console.log(`wall time, threads / promises without:      ${(threads.wallMs / barePromises.wallMs).toFixed(2)}`);
clearInterval(keepAlive);
await records.close();
await supervisor.close();
server?.stop();
await rm(folder, { recursive: true, force: true });
