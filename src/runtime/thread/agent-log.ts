// What an agent's tools log and print, on its way to main: no more and no longer lines than somebody could read.
// Main serves all agents, and a loop that prints must not cost the others anything.

import type { Clock } from "../../lib/clock.ts";
import type { ToolContext } from "../../tools/definition.ts";
import type { AgentEvent } from "../../wire/control.ts";
import { MAX_LOG_CHARS } from "../../wire/report-limits.ts";

const MAX_LINES_PER_SECOND = 1_000;

export function createAgentLog(
	clock: Clock,
	send: (line: Extract<AgentEvent, { type: "log" }>) => void,
): ToolContext["log"] {
	let lines = 0;
	let isCounting = false;

	function endPeriod(): void {
		isCounting = false;
		const left = lines - MAX_LINES_PER_SECOND;
		lines = 0;
		if (left > 0) send({ type: "log", level: "warn", text: `${left} more lines in the same second are left out` });
	}

	return (level, text) => {
		if (!isCounting) clock.after(1_000, endPeriod);
		isCounting = true;
		lines += 1;
		if (lines > MAX_LINES_PER_SECOND) return;
		const line = String(text);
		send({ type: "log", level, text: line.length > MAX_LOG_CHARS ? `${line.slice(0, MAX_LOG_CHARS)}…` : line });
	};
}
