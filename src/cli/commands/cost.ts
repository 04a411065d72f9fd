// `/cost`: what each agent of the session used, those that started others with the sum of their tree, and the total.

import { sumTotals } from "../../runtime/totals.ts";
import type { RunRecord, UsageTotals } from "../../wire/run.ts";
import { oneLine } from "../terminal/plain-text.ts";

const MAX_ROWS = 30;
const NAME_CHARS = 50;

interface Row {
	readonly name: string;
	readonly usage: UsageTotals;
	readonly below: number;
	readonly tree: UsageTotals;
}

export function formatCost(records: readonly RunRecord[]): string[] {
	if (records.length === 0) return ["Nothing was used so far."];
	const rows = rowsOf(records);
	const shown = rows.slice(0, MAX_ROWS);
	const width = Math.max("Total".length, ...shown.map(({ name }) => name.length));
	const lines = shown.map(({ name, usage, below, tree }) => {
		const sum = below === 0 ? "" : `, $${tree.costUsd.toFixed(4)} with its ${below === 1 ? "subagent" : "subagents"}`;
		return `  ${name.padEnd(width)}  ${describe(usage)}${sum}`;
	});
	if (rows.length > MAX_ROWS) lines.push(`  … and ${rows.length - MAX_ROWS} more`);
	return [...lines, `  ${"Total".padEnd(width)}  ${describe(sumTotals(records))}`];
}

function rowsOf(records: readonly RunRecord[]): Row[] {
	const known = new Set(records.map(({ id }) => id));
	const below = new Map<string, RunRecord[]>();
	for (const record of records) {
		// A run whose parent is not on record stands at the top.
		const parent = known.has(record.parentId ?? "") ? (record.parentId ?? "") : "";
		below.set(parent, [...(below.get(parent) ?? []), record]);
	}
	const rowsBelow = (id: string, depth: number): Row[] =>
		(below.get(id) ?? []).flatMap((record) => {
			const rows = rowsBelow(record.id, depth + 1);
			const label = record.kind === "subagent" ? `${record.description} (${record.agentType})` : record.name;
			const name = `${"  ".repeat(depth)}${oneLine(label, NAME_CHARS)}`;
			return [{ name, usage: record.usage, below: rows.length, tree: sumTotals([record, ...rows]) }, ...rows];
		});
	return rowsBelow("", 0);
}

function describe({
	turns,
	inputTokens,
	outputTokens,
	cacheReadTokens,
	cacheWriteTokens,
	costUsd,
}: UsageTotals): string {
	const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
	return `${count(turns, "turn")}, ${tokens.toLocaleString("en")} tokens, $${costUsd.toFixed(4)}`;
}

function count(amount: number, what: string): string {
	return `${amount} ${what}${amount === 1 ? "" : "s"}`;
}
