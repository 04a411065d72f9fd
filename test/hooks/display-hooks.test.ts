import { describe, expect, it } from "vitest";
import { HookManager } from "../../src/hooks/hook-manager.ts";
import { LoggingHook } from "../../src/hooks/logging-hook.ts";
import { TimingHook } from "../../src/hooks/timing-hook.ts";

const call = (toolName: string, input: unknown = {}) => ({ toolUseId: "u", toolName, input });
const done = (toolName: string, durationMs: number, content = "ok", isError = false) => ({
	...call(toolName),
	result: { content, isError, durationMs },
});
const makeManager = () =>
	new HookManager((thrown) => {
		throw thrown;
	});

describe("LoggingHook", () => {
	it("writes one line per call and result and never changes anything", async () => {
		const lines: string[] = [];
		const manager = makeManager();
		new LoggingHook((line) => lines.push(line)).registerTo(manager);
		expect(await manager.fire("PreToolUse", call("bash", { command: "ls\n-a" }))).toEqual({ kind: "continue" });
		expect(await manager.fire("PostToolUse", done("bash", 1, "one\n\ttwo\u001b[31m"))).toEqual({ kind: "continue" });
		expect(await manager.fire("PostToolUse", done("bash", 1, "Error: no", true))).toEqual({ kind: "continue" });
		expect(lines).toEqual(['bash called: {"command":"ls\\n-a"}', "bash done: one two [31m", "bash failed: Error: no"]);
	});

	it("cuts long values and says how long they are", async () => {
		const lines: string[] = [];
		const manager = makeManager();
		new LoggingHook((line) => lines.push(line)).registerTo(manager);
		await manager.fire("PostToolUse", done("grep", 1, "x".repeat(100_000)));
		expect(lines).toEqual([`grep done: ${"x".repeat(200)}… (100000 characters)`]);
	});

	it("shows an input that is no JSON", async () => {
		const lines: string[] = [];
		const manager = makeManager();
		new LoggingHook((line) => lines.push(line)).registerTo(manager);
		await manager.fire("PreToolUse", { toolUseId: "u", toolName: "x", input: undefined });
		expect(lines).toEqual(["x called: undefined"]);
	});
});

describe("TimingHook", () => {
	it("writes how long each call took and keeps the sums", async () => {
		const lines: string[] = [];
		const manager = makeManager();
		const timing = new TimingHook((line) => lines.push(line));
		timing.registerTo(manager);
		await manager.fire("PostToolUse", done("grep", 12.4));
		await manager.fire("PostToolUse", done("bash", 61_250));
		await manager.fire("PostToolUse", done("bash", 750, "Error: x", true));
		expect(lines).toEqual(["grep took 12 ms", "bash took 61.3 s", "bash took 750 ms"]);
		expect(timing.timings()).toEqual([
			{ toolName: "bash", calls: 2, errors: 1, totalMs: 62_000, longestMs: 61_250 },
			{ toolName: "grep", calls: 1, errors: 0, totalMs: 12.4, longestMs: 12.4 },
		]);
	});

	it("counts short calls without a line where a threshold is set", async () => {
		const lines: string[] = [];
		const manager = makeManager();
		const timing = new TimingHook((line) => lines.push(line), { fromMs: 1_000 });
		timing.registerTo(manager);
		await manager.fire("PostToolUse", done("bash", 999));
		await manager.fire("PostToolUse", done("bash", 1_000));
		expect(lines).toEqual(["bash took 1.0 s"]);
		expect(timing.timings()[0]?.calls).toBe(2);
	});
});
