import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Supervisor } from "../../src/runtime/supervisor.ts";
import { call, fixture, openSupervisor, say, startSupervisor } from "../support/supervisor.ts";

// One supervisor for all of it: what one bad run leaves behind would show in the next.
let supervisor: Supervisor;
let close: () => Promise<void>;

const limits = { unresponsiveMs: 1_500, graceMs: 500, heapMb: 64 };
const bad = (tool: string) => [`bad ${tool}`, [call(tool), say("went on")]] as const;

beforeAll(async () => {
	({ supervisor, close } = await openSupervisor(
		{
			...Object.fromEntries(
				[
					"spin",
					"block",
					"exit",
					"throw_now",
					"throw_later",
					"reject_unhandled",
					"exhaust_heap",
					"hang",
					"talk",
					"post_garbage",
					"exhaust_heap_at_once",
				].map(bad),
			),
			good: [call("todo_write", { todos: [] }, { delayMs: 100 }), say("fine", { delayMs: 100 })],
		},
		{ tools: [{ module: fixture("misbehave.mjs") }], limits },
	));
});
afterAll(() => close());

const spawn = (description: string, more: object = {}) =>
	supervisor.spawn({ description, prompt: "go", limits: { ...limits, ...more } });

describe("A tool module that misbehaves", () => {
	it.each([
		["spin", "unresponsive", "its thread did not answer for 1.5 s (a loop or a blocking call)", {}],
		["block", "unresponsive", "its thread did not answer for 1.5 s (a loop or a blocking call)", {}],
		["exit", "exited", "The thread exited with code 3 before the run had a result", {}],
		["throw_later", "crashed", /^The thread crashed: Error: thrown by a timer \(.*misbehave\.mjs:\d+\)$/, {}],
		["reject_unhandled", "crashed", /^The thread crashed: Error: rejected by the tool \(.*misbehave\.mjs:\d+\)$/, {}],
		["exhaust_heap", "out-of-memory", /^it used \d+ MB of memory, more than its 64 MB$/, { unresponsiveMs: 20_000 }],
		["exhaust_heap_at_once", "out-of-memory", "The thread reached its hard memory limit", { unresponsiveMs: 20_000 }],
	])("ends its own run and no other when it does this: %s", async (tool, reason, error, more) => {
		const good = [spawn("good"), spawn("good")];
		const result = await spawn(`bad ${tool}`, more).result();
		expect(result).toMatchObject({
			status: "FAILED",
			reason,
			error: typeof error === "string" ? error : expect.stringMatching(error),
		});
		for (const run of good) expect(await run.result()).toMatchObject({ status: "COMPLETED", finalText: "fine" });
		expect(supervisor.status()).toMatchObject({ running: 0, queued: 0, lostThreads: 0 });
		expect(await spawn("good").result()).toMatchObject({ status: "COMPLETED" });
	});

	it("gives the model an error result when it throws, and the run goes on", async () => {
		expect(await spawn("bad throw_now").result()).toMatchObject({ status: "COMPLETED", finalText: "went on" });
	});

	it("is stopped within the grace time when it ignores its signal", async () => {
		const result = await spawn("bad hang", { wallMs: 300 }).result();
		expect(result).toMatchObject({ status: "FAILED", reason: "timeout", error: "it ran longer than its 0.3 s" });
		expect(supervisor.status().running).toBe(0);
	});

	it("has what it prints reported as a log line, not on the process's stdout", async () => {
		const logged: string[] = [];
		for await (const event of spawn("bad talk").events()) {
			if (event.type === "agent-event" && event.event.type === "log") logged.push(event.event.text);
		}
		expect(logged).toContain("said on stdout\n");
	});

	it("gets an error for a request that main does not know, and nothing else happens", async () => {
		expect(await spawn("bad post_garbage").result()).toMatchObject({ status: "COMPLETED" });
	});
});

describe("A tool module that cannot be loaded", () => {
	it("fails the run with the module's own words", async () => {
		const broken = await startSupervisor(
			{ "*": [say("never")] },
			{ tools: [{ module: fixture("broken-import.mjs") }] },
		);
		const result = await broken.supervisor.spawn({ description: "broken", prompt: "go" }).result();
		expect(result).toMatchObject({ status: "FAILED", reason: "crashed" });
		expect(result.error).toContain("this module cannot be loaded");
	});

	it("fails the run as unresponsive when it spins while it is imported", async () => {
		const spinning = await startSupervisor(
			{ "*": [say("never")] },
			{ tools: [{ module: fixture("slow-import.mjs") }], limits },
		);
		const result = await spinning.supervisor.spawn({ description: "spins", prompt: "go" }).result();
		expect(result).toMatchObject({ status: "FAILED", reason: "unresponsive" });
	});
});
