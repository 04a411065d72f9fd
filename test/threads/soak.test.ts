import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { call, fixture, openSupervisor, say } from "../support/supervisor.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const BATCHES = 20;

/** What run number n does, and how it must end. */
const ENDINGS = [
	{ name: "done", replies: [call("todo_write", { todos: [] }), say("fine")], reason: "done" },
	{ name: "done at once", replies: [say("fine")], reason: "done" },
	{ name: "provider", replies: [{ error: { status: 400, message: "bad" } }], reason: "provider-error" },
	{ name: "empty", replies: [{ text: "" }], reason: "empty-result" },
	{ name: "refused", replies: [{ text: "no", stopReason: "refusal" as const }], reason: "refused" },
	{ name: "cancelled", replies: [say("never", { delayMs: 60_000 })], reason: "cancelled" },
	{ name: "done again", replies: [say("fine")], reason: "done" },
];

/** The same for runs that load a tool module, each in a thread of its own. */
const ENDINGS_OF_MODULES = [
	{ name: "throws", replies: [call("throw_now"), say("fine")], reason: "done" },
	{ name: "exits", replies: [call("exit")], reason: "exited" },
	{ name: "crashes", replies: [call("throw_later")], reason: "crashed" },
	{ name: "cancelled", replies: [say("never", { delayMs: 60_000 })], reason: "cancelled" },
	{ name: "done", replies: [say("fine")], reason: "done" },
];

const resources = () =>
	process.getActiveResourcesInfo().filter((name) => /MessagePort|Worker|Process|File/.test(name)).length;

it.each([
	{ runs: 1_000, endings: ENDINGS, tools: [] },
	{ runs: 200, endings: ENDINGS_OF_MODULES, tools: [{ module: fixture("misbehave.mjs") }] },
])("leaves no run, no handle and no memory behind after $runs mixed endings", { timeout: 180_000 }, async (given) => {
	const { runs: count, endings, tools } = given;
	const batch = count / BATCHES;
	const before = resources();
	const { supervisor, close, warnings } = await openSupervisor(
		Object.fromEntries(endings.map(({ name, replies }) => [name, replies])),
		{ tools, maxConcurrent: 8, warmThreads: 2, limits: { graceMs: 500 } },
	);
	const heapAfter: number[] = [];
	for (let first = 0; first < count; first += batch) {
		const runs = Array.from({ length: batch }, (_, index) => {
			const ending = endings[(first + index) % endings.length] as (typeof endings)[number];
			const run = supervisor.spawn({ description: ending.name, prompt: "go" });
			if (ending.reason === "cancelled") void cancelOnceRunning(run);
			return { run, ending };
		});
		for (const { run, ending } of runs) {
			expect(await run.result()).toMatchObject({ reason: ending.reason });
		}
		collectGarbage();
		heapAfter.push(process.memoryUsage().heapUsed / 2 ** 20);
	}
	expect(supervisor.status()).toMatchObject({ running: 0, queued: 0, lostThreads: 0, runs: [] });
	expect(supervisor.runs()).toHaveLength(count);
	const early = heapAfter[4] ?? 0;
	const late = heapAfter.at(-1) ?? Number.POSITIVE_INFINITY;
	expect(late - early).toBeLessThan(8);
	expect(warnings).toEqual([]);
	await close();
	expect(resources()).toBeLessThanOrEqual(before);
});

async function cancelOnceRunning(run: {
	events(): AsyncIterable<{ type: string; record?: { status: string } }>;
	cancel(): Promise<unknown>;
}) {
	for await (const event of run.events()) {
		if (event.record?.status === "RUNNING") break;
	}
	await run.cancel();
}
