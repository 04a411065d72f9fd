// The progress line of one subagent, as people see it in the lead's chat.

import type { RunReason, RunStatus, UsageTotals } from "../wire/run.ts";

export interface ProgressFacts {
	readonly agentType: string;
	readonly description: string;
	readonly status: RunStatus;
	readonly reason?: RunReason | undefined;
	/** Milliseconds since the Unix epoch, as is the next. */
	readonly startedAt?: number | undefined;
	readonly completedAt?: number | undefined;
	readonly usage: Pick<UsageTotals, "toolCalls">;
}

const seconds = (ms: number) => `${(Math.max(0, ms) / 1000).toFixed(1)}s`;
const tools = (count: number) => (count === 1 ? "1 tool" : `${count} tools`);

/** `  [explore] find auth files ... 5 tools, 3.2s` while it runs, `- done (8 tools, 5.1s)` at the end. */
export function formatProgress(run: ProgressFacts, nowMs: number): string {
	const head = `  [${run.agentType}] ${run.description}`;
	const elapsed = seconds((run.completedAt ?? nowMs) - (run.startedAt ?? nowMs));
	switch (run.status) {
		case "PENDING":
			return `${head} ... waiting`;
		case "RUNNING":
			return `${head} ... ${tools(run.usage.toolCalls)}, ${elapsed}`;
		case "COMPLETED":
			return `${head} - done (${tools(run.usage.toolCalls)}, ${elapsed})`;
		case "FAILED":
			return `${head} - failed: ${run.reason ?? "lost"} (${tools(run.usage.toolCalls)}, ${elapsed})`;
	}
}
