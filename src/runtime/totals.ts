// The one place that adds up what agents used.

import type { RunRecord, UsageTotals } from "../wire/run.ts";
import { NO_TOTALS } from "../wire/run-names.ts";

/** The sum of what two agents used. */
export function addTotals(a: UsageTotals, b: UsageTotals): UsageTotals {
	return {
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
		cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
		turns: a.turns + b.turns,
		toolCalls: a.toolCalls + b.toolCalls,
		costUsd: a.costUsd + b.costUsd,
		modelMs: a.modelMs + b.modelMs,
	};
}

type Used = Pick<RunRecord, "id" | "parentId" | "usage">;

/** What all of these used together. */
export function sumTotals(records: readonly Pick<RunRecord, "usage">[]): UsageTotals {
	return records.reduce((sum, { usage }) => addTotals(sum, usage), NO_TOTALS);
}

/** What a run used, and all those below it that are among the records. */
export function treeTotals(records: readonly Used[], id: string): UsageTotals {
	return sumTotals(treeOf(records, id));
}

/** A run's record and those of all runs below it. */
function treeOf(records: readonly Used[], id: string): Used[] {
	const below = new Map<string, Used[]>();
	for (const record of records) {
		if (record.parentId === undefined) continue;
		below.set(record.parentId, [...(below.get(record.parentId) ?? []), record]);
	}
	const found = records.filter((record) => record.id === id);
	// Grows while it is walked: what is found is looked below in its turn. Each record has one parent, so it ends.
	for (const record of found) found.push(...(below.get(record.id) ?? []));
	return found;
}
