// The progress line of one subagent, as people see it in the lead's chat.

import type { RunRecord, UsageTotals } from "../wire/run.ts";

const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(1)}s`;
const tools = (count: number) => (count === 1 ? "1 tool" : `${count} tools`);

/** `  [explore] find auth files ... 5 tools, 3.2s` while it runs, `- done (8 tools, 5.1s)` at the end. */
export function formatProgress(record: RunRecord, usage: UsageTotals, nowMs: number): string {
	const head = `  [${record.agentType}] ${record.description}`;
	const elapsed = seconds((record.completedAt ?? nowMs) - (record.startedAt ?? nowMs));
	switch (record.status) {
		case "PENDING":
			return `${head} ... waiting`;
		case "RUNNING":
			return `${head} ... ${tools(usage.toolCalls)}, ${elapsed}`;
		case "COMPLETED":
			return `${head} - done (${tools(usage.toolCalls)}, ${elapsed})`;
		case "FAILED":
			return `${head} - failed: ${record.reason ?? "lost"} (${tools(usage.toolCalls)}, ${elapsed})`;
	}
}
