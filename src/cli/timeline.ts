// Which run was on which thread when, as text.

import type { RunRecord } from "../wire/run.ts";
import { oneLine } from "./terminal/plain-text.ts";

const LABEL_COLUMNS = 34;

/** A chart `width` columns wide: a line per run, in the order they started. */
export function formatTimeline(records: readonly RunRecord[], width: number): string {
	const ran = records
		.filter((record) => record.startedAt !== undefined && record.completedAt !== undefined)
		.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
	const first = ran[0]?.startedAt;
	if (first === undefined) return "No run has started.\n";
	const last = Math.max(...ran.map((record) => record.completedAt ?? 0));
	const span = Math.max(1, last - first);
	const columns = Math.max(10, width - LABEL_COLUMNS - 14);
	const lines = ran.map((record) => {
		const from = Math.floor((((record.startedAt ?? 0) - first) / span) * (columns - 1));
		const to = Math.max(from + 1, Math.ceil((((record.completedAt ?? 0) - first) / span) * columns));
		const bar = `${" ".repeat(from)}${"█".repeat(to - from)}`.padEnd(columns);
		const thread = `thread ${record.threadId ?? "-"}`.padEnd(10);
		return `  ${thread} ${bar} ${oneLine(record.description, LABEL_COLUMNS)}${record.status === "FAILED" ? ` (${record.reason})` : ""}`;
	});
	const threads = new Set(ran.map((record) => record.threadId)).size;
	const amount = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
	const title = `Timeline: ${amount(ran.length, "run")} on ${amount(threads, "thread")} in ${(span / 1000).toFixed(1)} s, at most ${mostAtOnce(ran)} at once`;
	return `${[title, ...lines].join("\n")}\n`;
}

/** The highest number of runs that were under way at the same moment. */
export function mostAtOnce(records: readonly RunRecord[]): number {
	const steps = records
		.flatMap((record) => [
			{ at: record.startedAt ?? 0, by: 1 },
			{ at: record.completedAt ?? 0, by: -1 },
		])
		.sort((a, b) => a.at - b.at || a.by - b.by);
	let now = 0;
	let most = 0;
	for (const { by } of steps) {
		now += by;
		most = Math.max(most, now);
	}
	return most;
}
