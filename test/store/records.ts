import type { RunRecord } from "../../src/wire/run.ts";
import { NO_TOTALS } from "../../src/wire/run-names.ts";

export function makeRun(over: Partial<RunRecord> & Pick<RunRecord, "id">): RunRecord {
	return {
		sessionId: "session_1",
		kind: "subagent",
		name: "find auth files",
		description: "find auth files",
		prompt: "Find the files that handle sign-in.",
		agentType: "explore",
		depth: 1,
		background: true,
		status: "PENDING",
		createdAt: 1_000,
		usage: NO_TOTALS,
		...over,
	};
}
