import { expect, test } from "vitest";
import { createAutonomousConfig } from "../../../src/teams/autonomy/autonomous-config.ts";

test("ticks every 10 s and hands out 16 tasks at most, unless told otherwise", () => {
	expect(createAutonomousConfig()).toEqual({ tickIntervalMs: 10_000, maxTasksPerTick: 16 });
	expect(createAutonomousConfig({ maxTasksPerTick: undefined })).toEqual({
		tickIntervalMs: 10_000,
		maxTasksPerTick: 16,
	});
});

test("takes other values within the bounds", () => {
	expect(createAutonomousConfig({ tickIntervalMs: 100, maxTasksPerTick: 1_000 })).toEqual({
		tickIntervalMs: 100,
		maxTasksPerTick: 1_000,
	});
});

test.each([
	[{ tickIntervalMs: 99 }, "tickIntervalMs cannot be 99. Give a whole number from 100 to 3600000"],
	[{ tickIntervalMs: Number.NaN }, "tickIntervalMs cannot be NaN. Give a whole number from 100 to 3600000"],
	[{ tickIntervalMs: "10s" as never }, "tickIntervalMs cannot be 10s. Give a whole number from 100 to 3600000"],
	[{ maxTasksPerTick: 0 }, "maxTasksPerTick cannot be 0. Give a whole number from 1 to 1000"],
	[{ maxTasksPerTick: 1.5 }, "maxTasksPerTick cannot be 1.5. Give a whole number from 1 to 1000"],
])("refuses %o, naming the field and its bounds", (wanted, message) => {
	expect(() => createAutonomousConfig(wanted)).toThrow(expect.objectContaining({ code: "ERR_BAD_OPTION", message }));
});
