import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HookOutcome } from "../../src/hooks/events.ts";
import { HookManager } from "../../src/hooks/hook-manager.ts";
import { createDeferred } from "../../src/lib/deferred.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

const CALL = { toolUseId: "u1", toolName: "bash", input: { command: "ls" } };
const DONE = { ...CALL, result: { content: "out", isError: false, durationMs: 5 } };

function makeManager() {
	const errors: string[] = [];
	const clock = createFakeClock();
	const manager = new HookManager((thrown, event) => errors.push(`${event}: ${(thrown as Error).message}`), { clock });
	return { manager, errors, clock };
}

describe("HookManager", () => {
	it("continues when nobody listens or has anything to say", async () => {
		const { manager } = makeManager();
		expect(await manager.fire("PreToolUse", CALL)).toEqual({ kind: "continue" });
		manager.on("PreToolUse", () => ({ kind: "continue" }));
		expect(await manager.fire("PreToolUse", CALL)).toEqual({ kind: "continue" });
		expect(await manager.fire("Stop", { stopHookActive: false, lastAssistantMessage: "" })).toEqual({
			kind: "continue",
		});
	});

	it("shows observers what the handlers before them made of it, and hears nothing from them but errors", async () => {
		const { manager, errors } = makeManager();
		const seen: unknown[] = [];
		manager.observe("PostToolUse", ({ result }) => void seen.push(result.content));
		manager.on("PostToolUse", () => ({ kind: "replace", value: "shorter" }));
		manager.observe("PostToolUse", ({ result }) => {
			seen.push(result.content);
			throw new Error("cannot show it");
		});
		expect(await manager.fire("PostToolUse", DONE)).toEqual({ kind: "replace", value: "shorter" });
		expect(seen).toEqual(["out", "shorter"]);
		expect(errors).toEqual(["PostToolUse: cannot show it"]);
	});

	it("calls handlers in order and ends the round at a block", async () => {
		const { manager } = makeManager();
		const calls: string[] = [];
		manager.on("PreToolUse", () => {
			calls.push("first");
			return { kind: "continue", context: "lost with the block" };
		});
		manager.on("PreToolUse", async () => {
			calls.push("second");
			return { kind: "block", reason: "no" };
		});
		manager.on("PreToolUse", () => {
			calls.push("third");
			return { kind: "continue" };
		});
		expect(await manager.fire("PreToolUse", CALL)).toEqual({ kind: "block", reason: "no" });
		expect(calls).toEqual(["first", "second"]);
	});

	it("ends the round at a stop", async () => {
		const { manager } = makeManager();
		manager.on("PostToolUse", () => ({ kind: "stop", reason: "enough" }));
		manager.on("PostToolUse", () => ({ kind: "block", reason: "never asked" }));
		expect(await manager.fire("PostToolUse", DONE)).toEqual({ kind: "stop", reason: "enough" });
	});

	it("shows later handlers the input that an earlier one put in its place", async () => {
		const { manager } = makeManager();
		const seen: unknown[] = [];
		manager.on("PreToolUse", ({ input }) => {
			seen.push(input);
			return { kind: "replace", value: { command: "ls -a" }, context: "added -a" };
		});
		manager.on("PreToolUse", ({ input, toolName }) => {
			seen.push(input, toolName);
			return { kind: "continue", context: "seen", permission: "allow" };
		});
		expect(await manager.fire("PreToolUse", CALL)).toEqual({
			kind: "replace",
			value: { command: "ls -a" },
			context: "added -a\n\nseen",
			permission: "allow",
		});
		expect(seen).toEqual([{ command: "ls" }, { command: "ls -a" }, "bash"]);
	});

	it("shows later handlers the result that an earlier one put in its place", async () => {
		const { manager } = makeManager();
		const seen: unknown[] = [];
		manager.on("PostToolUse", () => ({ kind: "replace", value: "short" }));
		manager.on("PostToolUse", ({ result }) => {
			seen.push(result);
			return { kind: "continue" };
		});
		expect(await manager.fire("PostToolUse", DONE)).toEqual({ kind: "replace", value: "short" });
		expect(seen).toEqual([{ content: "short", isError: false, durationMs: 5 }]);
	});

	it("lets ask win over allow whatever the order", async () => {
		for (const order of [
			["allow", "ask"],
			["ask", "allow"],
		] as const) {
			const { manager } = makeManager();
			for (const permission of order) manager.on("PreToolUse", () => ({ kind: "continue", permission }));
			expect(await manager.fire("PreToolUse", CALL)).toEqual({ kind: "continue", permission: "ask" });
		}
	});

	it("goes on after a handler that throws or rejects, and tells the guard", async () => {
		const { manager, errors } = makeManager();
		manager.on("PreToolUse", () => {
			throw new Error("broken");
		});
		manager.on("PreToolUse", async () => {
			throw new Error("broken later");
		});
		manager.on("PreToolUse", () => ({ kind: "block", reason: "still asked" }));
		expect(await manager.fire("PreToolUse", CALL)).toEqual({ kind: "block", reason: "still asked" });
		expect(errors).toEqual(["PreToolUse: broken", "PreToolUse: broken later"]);
	});

	it("goes on after a handler that never settles", async () => {
		const { manager, errors, clock } = makeManager();
		let aborted = false;
		manager.on(
			"PreToolUse",
			(_, signal) => {
				signal.addEventListener("abort", () => {
					aborted = true;
				});
				return new Promise(() => {});
			},
			{ timeoutMs: 2_000 },
		);
		manager.on("PreToolUse", () => ({ kind: "continue", context: "after" }));
		const fired = manager.fire("PreToolUse", CALL);
		await clock.advance(1_999);
		expect(errors).toEqual([]);
		await clock.advance(1);
		expect(await fired).toEqual({ kind: "continue", context: "after" });
		expect(errors).toEqual(["PreToolUse: A PreToolUse hook took longer than 2000 ms"]);
		expect(aborted).toBe(true);
		expect(clock.pending()).toBe(0);
	});

	it("sets no timer for a handler that has a limit of its own", async () => {
		const { manager, clock } = makeManager();
		const answer = createDeferred<HookOutcome>();
		manager.on("Stop", () => answer.promise, { timeoutMs: Number.POSITIVE_INFINITY });
		const fired = manager.fire("Stop", { stopHookActive: false, lastAssistantMessage: "" });
		await clock.advance(86_400_000);
		expect(clock.pending()).toBe(0);
		answer.resolve({ kind: "block", reason: "go on" });
		expect(await fired).toEqual({ kind: "block", reason: "go on" });
	});

	it("stops when the agent is interrupted, and asks no further handler", async () => {
		const { manager, errors } = makeManager();
		let asked = false;
		manager.on("PreToolUse", () => new Promise(() => {}));
		manager.on("PreToolUse", () => {
			asked = true;
			return { kind: "continue" };
		});
		const controller = new AbortController();
		const fired = manager.fire("PreToolUse", CALL, controller.signal);
		controller.abort(new Error("interrupted"));
		expect(await fired).toEqual({ kind: "stop", reason: "interrupted while a hook ran" });
		expect(await manager.fire("PreToolUse", CALL, controller.signal)).toMatchObject({ kind: "stop" });
		expect(asked).toBe(false);
		expect(errors).toEqual([]);
	});

	it("takes an answer that is no outcome for a fault, and no answer for no objection", async () => {
		const { manager, errors } = makeManager();
		for (const answer of [
			undefined,
			"yes",
			{ kind: "perhaps" },
			{ kind: "block" },
			{ kind: "continue", permission: "deny" },
		]) {
			manager.on("PreToolUse", () => answer as never);
		}
		expect(await manager.fire("PreToolUse", CALL)).toEqual({ kind: "continue" });
		expect(errors).toHaveLength(4);
	});

	it("ignores a replacement that the event has no place for, and keeps its context", async () => {
		const { manager, errors } = makeManager();
		manager.on("UserPromptSubmit", () => ({ kind: "replace", value: "other", context: "kept" }));
		manager.on("PostToolUse", () => ({ kind: "replace", value: 5 }));
		expect(await manager.fire("UserPromptSubmit", { prompt: "p" })).toEqual({ kind: "continue", context: "kept" });
		expect(await manager.fire("PostToolUse", DONE)).toEqual({ kind: "continue" });
		expect(errors).toEqual([
			"UserPromptSubmit: A UserPromptSubmit hook cannot replace anything with string",
			"PostToolUse: A PostToolUse hook cannot replace anything with number",
		]);
	});

	it("survives a guard that throws", async () => {
		const manager = new HookManager(() => {
			throw new Error("the guard too");
		});
		manager.on("Notification", () => {
			throw new Error("x");
		});
		expect(await manager.fire("Notification", { message: "m", notificationType: "idle_prompt" })).toEqual({
			kind: "continue",
		});
	});

	it("merges any sequence of outcomes by the same rules", async () => {
		const permission = fc.constantFrom("allow", "ask", undefined);
		const outcome: fc.Arbitrary<HookOutcome> = fc.oneof(
			fc.record({ kind: fc.constant("continue" as const), context: fc.constantFrom("a", "b") }),
			fc.record({ kind: fc.constant("replace" as const), value: fc.nat() }),
			permission.map((given) => ({ kind: "continue" as const, ...(given ? { permission: given } : {}) })),
			fc.constant({ kind: "block" as const, reason: "no" }),
			fc.constant({ kind: "stop" as const, reason: "end" }),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(outcome, { maxLength: 8 }), async (outcomes) => {
				const { manager } = makeManager();
				for (const one of outcomes) manager.on("PreToolUse", () => one);
				const merged = await manager.fire("PreToolUse", CALL);
				const end = outcomes.find(({ kind }) => kind === "block" || kind === "stop");
				if (end) {
					expect(merged).toEqual(end);
					return;
				}
				const permissions = outcomes.map((one) => ("permission" in one ? one.permission : undefined));
				const wanted = permissions.includes("ask") ? "ask" : permissions.includes("allow") ? "allow" : undefined;
				expect("permission" in merged ? merged.permission : undefined).toBe(wanted);
				const values = outcomes.flatMap((one) => (one.kind === "replace" ? [one.value] : []));
				expect(merged.kind === "replace" ? merged.value : undefined).toBe(values.at(-1));
			}),
		);
	});
});
