import { expect, test } from "vitest";
import { createRestartPolicy } from "../../src/supervision/restart-policy.ts";

test("restarts nobody unless it is told to", () => {
	expect(createRestartPolicy().mayRestart("crashed", 0)).toBe(false);
});

test("restarts after accidents, and not after what was decided", () => {
	const policy = createRestartPolicy({ type: "transient", intensity: 100 });
	const accidents = ["crashed", "exited", "out-of-memory", "unresponsive", "lost"] as const;
	const decisions = [
		"done",
		"cancelled",
		"killed",
		"timeout",
		"budget",
		"max-turns",
		"never-started",
		"refused",
	] as const;
	expect(accidents.map((reason) => policy.mayRestart(reason, 0))).toEqual([true, true, true, true, true]);
	expect(decisions.filter((reason) => policy.mayRestart(reason, 0))).toEqual([]);
});

test("gives up at more restarts within the period than the intensity allows, and forgets those before it", () => {
	const policy = createRestartPolicy({ type: "transient", intensity: 2, periodMs: 1_000 });
	const at = [0, 500, 999, 1_000, 1_400, 1_500];
	expect(at.map((nowMs) => policy.mayRestart("crashed", nowMs))).toEqual([true, true, false, true, false, true]);
});

test("refuses numbers that cannot be used", () => {
	expect(() => createRestartPolicy({ intensity: -1 })).toThrow("Option 'team.restart.intensity' must be");
	expect(() => createRestartPolicy({ periodMs: 0 })).toThrow("Option 'team.restart.periodMs' must be");
});
