import { describe, expect, it } from "vitest";
import { createEmitter } from "../../src/lib/emitter.ts";
import { createHookMoments } from "../../src/runtime/hooks/hook-moments.ts";
import type { HookRelay } from "../../src/runtime/hooks/hook-relay.ts";
import type { LiveRun, RunEvent } from "../../src/supervision/live-run.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import type { HooksResult } from "../../src/wire/requests.ts";

function setUp(answers: Readonly<Record<string, HooksResult>> = {}, hasPerson = true) {
	const clock = createFakeClock();
	const fired: [string, unknown][] = [];
	let pending: AbortSignal | undefined;
	const relay: Pick<HookRelay, "fire" | "listensTo"> = {
		listensTo: () => true,
		fire: (event, payload, about = {}) => {
			fired.push([event, payload]);
			const answer = answers[event];
			if (answer) return Promise.resolve(answer);
			pending = about.signal;
			return new Promise((resolve) => about.signal?.addEventListener("abort", () => resolve({})));
		},
	};
	const run = {
		spec: { id: "lead_1", kind: "teammate", name: "ann" },
		isTerminal: false,
		prompts: { busy: false },
		children: new Set(),
		events: createEmitter<{ event: RunEvent }>(() => {}),
	};
	const moments = createHookMoments({
		relay: relay as HookRelay,
		clock,
		hasPerson,
		findRun: (id) => (id === "lead_1" ? (run as unknown as LiveRun) : undefined),
	});
	return { clock, fired, moments, run, live: run as unknown as LiveRun, signal: () => pending };
}

const finished: RunEvent = { type: "prompt-finished", outcome: { reason: "done", finalText: "" }, woken: false };
const started: RunEvent = { type: "prompt-started", promptId: "p", woken: false };
const idle = ["Notification", { message: "Clowder is waiting for your input", notificationType: "idle_prompt" }];

describe("Moments that main sees", () => {
	it("tell of a lead that waits for a minute, once, and not of one that goes on", async () => {
		const { clock, fired, moments, run, live } = setUp({ Notification: {} });
		moments.followLead(live);
		run.events.emit("event", finished);
		await clock.advance(59_000);
		run.events.emit("event", started);
		await clock.advance(120_000);
		expect(fired).toEqual([]);
		run.events.emit("event", finished);
		await clock.advance(60_000);
		expect(fired).toEqual([idle]);
		await clock.advance(600_000);
		expect(fired).toEqual([idle]);
	});

	it("tell nobody of a lead without a person, or one whose subagents still work", async () => {
		const alone = setUp({ Notification: {} }, false);
		alone.moments.followLead(alone.live);
		alone.run.events.emit("event", finished);
		await alone.clock.advance(60_000);
		expect(alone.fired).toEqual([]);
		const parent = setUp({ Notification: {} });
		parent.run.children.add("child");
		parent.moments.followLead(parent.live);
		parent.run.events.emit("event", finished);
		await parent.clock.advance(60_000);
		expect(parent.fired).toEqual([]);
	});

	it("do not let the end of a session wait for a hook that hangs", async () => {
		const { clock, moments, signal } = setUp();
		let ended = false;
		const end = moments.sessionEnd("other").then(() => {
			ended = true;
		});
		await clock.advance(9_999);
		await Promise.resolve();
		expect([ended, signal()?.aborted]).toEqual([false, false]);
		await clock.advance(1);
		await end;
		expect(ended).toBe(true);
	});

	it("let hooks object to tasks, and keep a teammate going", async () => {
		const { fired, moments, live } = setUp({
			TaskCreated: { blocked: "no ticket" },
			TaskCompleted: { stop: "all stop" },
			TeammateIdle: { blocked: "one more round" },
		});
		const owner = { id: "lead_1", name: "ann", sessionId: "s" };
		expect(await moments.taskGate.mayCreate({ id: "t1", title: "Fix" }, owner)).toBe("no ticket");
		expect(await moments.taskGate.mayCreate({ id: "t2", title: "Fix" })).toBe("no ticket");
		expect(await moments.taskGate.mayComplete({ id: "t1", title: "Fix" } as never, owner)).toBe("all stop");
		expect(await moments.teammateIdle(live)).toBe("one more round");
		expect(fired).toEqual([
			["TaskCreated", { taskId: "t1", taskSubject: "Fix", teammateName: "ann" }],
			["TaskCreated", { taskId: "t2", taskSubject: "Fix" }],
			["TaskCompleted", { taskId: "t1", taskSubject: "Fix", teammateName: "ann" }],
			["TeammateIdle", { teammateName: "ann" }],
		]);
	});
});
