import { beforeEach, describe, expect, it } from "vitest";
import { createHookDecisions, type HookDecisions } from "../../src/runtime/permissions/hook-decisions.ts";
import type { LiveRun } from "../../src/supervision/live-run.ts";
import type { HooksResult } from "../../src/wire/requests.ts";

const run = {} as LiveRun;
const other = {} as LiveRun;
const payload = { toolUseId: "t1", toolName: "bash", input: { command: "ls", timeout_ms: 5 } };
const claim = {
	toolUseId: "t1",
	toolName: "bash",
	input: { timeout_ms: 5, command: "ls" },
	hookDecision: "allow",
} as const;

describe("What a thread says that hooks decided", () => {
	let decisions: HookDecisions;
	const say = (said: HooksResult, event = "PreToolUse") => decisions.note(run, { event, payload }, said);
	beforeEach(() => {
		decisions = createHookDecisions();
	});

	it("allows a call that the hooks allowed, once", () => {
		say({ permission: "allow" });
		expect(decisions.take(run, claim)).toBe("allow");
		expect(decisions.take(run, claim)).toBeUndefined();
	});

	it("allows what the hooks put in the place of the input", () => {
		say({ permission: "allow", replaced: { command: "ls -l" } });
		expect(decisions.take(run, { ...claim, input: { command: "ls -l", run_in_background: false } })).toBe("allow");
		say({ permission: "allow", replaced: { command: "ls -l" } });
		expect(decisions.take(run, { ...claim, input: { command: "ls -la" } })).toBeUndefined();
		say({ permission: "allow", replaced: { command: "ls -l" } });
		expect(decisions.take(run, { ...claim, input: { command: "ls -l", description: "rm" } })).toBeUndefined();
	});

	it("allows nothing that main did not hear", () => {
		expect(decisions.take(run, claim)).toBeUndefined();
		say({});
		expect(decisions.take(run, claim)).toBeUndefined();
		say({ permission: "allow" }, "PostToolUse");
		expect(decisions.take(run, claim)).toBeUndefined();
	});

	it.each([
		["another call", { ...claim, toolUseId: "t2" }],
		["another tool", { ...claim, toolName: "write_file" }],
		["another input", { ...claim, input: { command: "rm -rf x" } }],
	])("allows not %s", (_what, call) => {
		say({ permission: "allow" });
		expect(decisions.take(run, call)).toBeUndefined();
	});

	it("allows no other agent's call", () => {
		say({ permission: "allow" });
		expect(decisions.take(other, claim)).toBeUndefined();
	});

	it("is believed when a person shall be asked", () => {
		expect(decisions.take(run, { ...claim, hookDecision: "ask" })).toBe("ask");
		expect(decisions.take(run, { toolUseId: "t1", toolName: "bash", input: {} })).toBeUndefined();
	});
});
