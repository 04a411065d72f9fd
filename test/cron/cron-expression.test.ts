import { describe, expect, it } from "vitest";
import { parseComing, parseCron } from "../../src/cron/cron-expression.ts";

const BERLIN = "Europe/Berlin";
const at = (text: string) => Date.parse(text);

/** The next moments of an expression, in UTC. */
function moments(cron: string, from: string, count: number, timeZone = BERLIN): string[] {
	const expression = parseCron(cron, timeZone);
	const found: string[] = [];
	for (let ms = expression.next(at(from)); ms !== undefined && found.length < count; ms = expression.next(ms)) {
		found.push(new Date(ms).toISOString().slice(0, 16));
	}
	return found;
}

describe("A schedule", () => {
	it("comes at the minutes its five fields say, in local time", () => {
		expect(moments("0 9 * * 1-5", "2026-01-02T00:00:00Z", 2)).toEqual(["2026-01-02T08:00", "2026-01-05T08:00"]);
		expect(moments("*/20 0 1 JAN,jul *", "2026-01-01T12:00:00Z", 2)).toEqual(["2026-06-30T22:00", "2026-06-30T22:20"]);
		expect(moments("0 0 * * SUN", "2026-01-01T00:00:00Z", 1, "UTC")).toEqual(["2026-01-04T00:00"]);
		expect(moments("0 0 * * 7", "2026-01-01T00:00:00Z", 1, "UTC")).toEqual(["2026-01-04T00:00"]);
	});

	it("comes at the first moment after the gap when its time is skipped in spring", () => {
		expect(moments("30 2 * * *", "2026-03-28T12:00:00Z", 2)).toEqual(["2026-03-29T01:00", "2026-03-30T00:30"]);
	});

	it("comes once when its time occurs twice in autumn", () => {
		expect(moments("30 2 * * *", "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30", "2026-10-26T01:30"]);
	});

	it("goes on with the real half hours over both changes when it has a step", () => {
		expect(moments("*/30 * * * *", "2026-03-29T00:10:00Z", 3)).toEqual([
			"2026-03-29T00:30",
			"2026-03-29T01:00",
			"2026-03-29T01:30",
		]);
		expect(moments("*/30 * * * *", "2026-10-25T00:10:00Z", 4)).toEqual([
			"2026-10-25T00:30",
			"2026-10-25T01:00",
			"2026-10-25T01:30",
			"2026-10-25T02:00",
		]);
	});

	it.each([
		["60 * * * *", "minute must be from 0 to 59, not 60"],
		["* 24 * * *", "hour must be from 0 to 23, not 24"],
		["* * 0 * *", "day of month must be from 1 to 31, not 0"],
		["* * * 13 *", "month must be from 1 to 12, not 13"],
		["* * * * 8", "day of week must be from 0 to 7, not 8"],
		["* * * *", "it has 4 fields, and needs five: minute, hour, day of month, month, day of week"],
		["0 0 1 1 * 2030", "it has 6 fields, and needs five: minute, hour, day of month, month, day of week"],
		["", "it has 0 fields, and needs five: minute, hour, day of month, month, day of week"],
		["@daily", "it has 1 field, and needs five: minute, hour, day of month, month, day of week"],
		["50-10 * * * *", "minute '50-10' ends before it begins"],
		["*/0 * * * *", "the step of minute must be from 1 to 60, not '0'"],
		["5/10 * * * *", "a step of minute needs a range: write */10 or 0-59/10"],
		["a * * * *", "minute 'a' cannot be read: it may hold 0-59, lists (1,2), ranges (1-5), * and steps (*/2)"],
		[
			"* * * * mun",
			"day of week 'mun' cannot be read: it may hold 0-7, SUN-SAT, lists (1,2), ranges (1-5), * and steps (*/2)",
		],
		["0 0 31 2 *", "it never comes: no month in it has such a day"],
	])("is refused with the field and its bounds: %j", (cron, why) => {
		expect(() => parseComing(cron, at("2026-01-01T00:00:00Z"), BERLIN)).toThrow(
			`the schedule '${cron}' cannot be used: ${why}`,
		);
	});
});
