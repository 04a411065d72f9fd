import { expect, test } from "vitest";
import { sumTotals, treeTotals } from "../../src/runtime/totals.ts";
import type { RunRecord } from "../../src/wire/run.ts";
import { NO_TOTALS } from "../../src/wire/run-names.ts";

const used = (id: string, parentId: string | undefined, turns: number) =>
	({ id, ...(parentId === undefined ? {} : { parentId }), usage: { ...NO_TOTALS, turns, costUsd: turns / 4 } }) as Pick<
		RunRecord,
		"id" | "parentId" | "usage"
	>;

test("adds up a run and all runs below it, and no others", () => {
	const records = [
		used("lead", undefined, 1),
		used("a", "lead", 2),
		used("b", "lead", 4),
		used("a1", "a", 8),
		used("a11", "a1", 16),
		used("other", undefined, 32),
		used("orphan", "gone", 64),
	];
	expect(treeTotals(records, "lead")).toMatchObject({ turns: 31, costUsd: 7.75 });
	expect(treeTotals(records, "a")).toMatchObject({ turns: 26 });
	expect(treeTotals(records, "a11")).toMatchObject({ turns: 16 });
	expect(treeTotals(records, "nobody")).toEqual(NO_TOTALS);
	expect(sumTotals(records)).toMatchObject({ turns: 127 });
	expect(sumTotals([])).toEqual(NO_TOTALS);
});
