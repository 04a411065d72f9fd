// How long it takes from a task becoming ready to its message being in an idle teammate's next request.
//
//   npm run bench -- claim-latency [teammates=2] [tasks=50]
//
// Each task is put on the board when all teammates rest. The model is a script in the gateway's thread that tells, by the
// clock of the machine, when a request with the task's message came in.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSupervisor } from "../src/runtime/create-supervisor.ts";
import { median, readNumbers } from "./support/arguments.ts";

const [teammates = 2, tasks = 50] = readNumbers("claim-latency", [
	{ name: "teammates", fallback: 2 },
	{ name: "tasks", fallback: 50 },
]);
const folder = await mkdtemp(join(tmpdir(), "clowder-bench-"));
const seen = join(folder, "seen.txt");
const script = new URL("../test/fixtures/model/claim-script.mjs", import.meta.url);
script.searchParams.set("seen", seen);
const supervisor = await createSupervisor({
	cwd: folder,
	stateDir: join(folder, ".state"),
	model: { provider: "scripted", module: script.href },
	limits: { turns: 100_000 },
	warmThreads: 0,
});
const allRest = async () => {
	while (!supervisor.team.list().every(({ status }) => status === "IDLE")) {
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
};
for (let n = 0; n < teammates; n += 1) {
	await supervisor.team.spawn({ name: `mate-${n}`, role: "worker", prompt: "Wait for a task." });
}
const latencies: number[] = [];
for (let n = 0; n < tasks; n += 1) {
	await allRest();
	const id = `t${n + 1}`;
	// Ready is what is on the board for good: the promise of `create` resolves then.
	await supervisor.tasks.create({ id, title: `task ${n}` });
	const readyAt = performance.timeOrigin + performance.now();
	while (supervisor.tasks.get(id)?.status !== "COMPLETED") await new Promise((resolve) => setTimeout(resolve, 5));
	const lines = (await readFile(seen, "utf8")).trim().split("\n");
	const at = lines.map((line) => line.split(" ")).find(([task]) => task === id)?.[1];
	latencies.push(Number(at) - readyAt);
}
latencies.sort((a, b) => a - b);
const quantile = (part: number) => (latencies[Math.floor((latencies.length - 1) * part)] ?? 0).toFixed(1);
console.log(`${tasks} tasks, ${teammates} idle teammates: from ready to the next request`);
console.log(`median ${median(latencies).toFixed(1)} ms, 90 % ${quantile(0.9)} ms, worst ${quantile(1)} ms`);
await supervisor.close();
await rm(folder, { recursive: true, force: true });
