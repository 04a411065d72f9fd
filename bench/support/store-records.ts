// The records that a program which loses nothing keeps of its agents, through the store's own code: the run in LMDB
// when it is asked for, when it begins and when it ends, and its transcript, gathered as a subagent's is.

import { systemClock } from "../../src/lib/clock.ts";
import { newId } from "../../src/lib/ids.ts";
import { createJournal } from "../../src/runtime/sessions/journal.ts";
import { openStore } from "../../src/store/store.ts";
import type { LiveRun } from "../../src/supervision/live-run.ts";
import type { RunRecord } from "../../src/wire/run.ts";
import { NO_TOTALS } from "../../src/wire/run-names.ts";
import type { AgentRecords } from "./agents-as-promises.ts";

export interface RecordKeeper {
	recordsOf(name: string): AgentRecords;
	close(): Promise<void>;
}

export async function openRecords(stateDir: string): Promise<RecordKeeper> {
	const store = await openStore({ stateDir, clock: systemClock });
	const sessionId = newId("session");
	const journal = createJournal(store, sessionId, systemClock, console.error);

	function recordsOf(name: string): AgentRecords {
		const id = newId("task");
		let record: RunRecord = {
			...{ id, sessionId, kind: "subagent", name, description: name, prompt: "go", agentType: "general" },
			...{ depth: 1, background: false, status: "PENDING", createdAt: systemClock.now(), usage: NO_TOTALS },
		};
		const writes: Promise<void>[] = [];
		const put = (facts: Partial<RunRecord>) => {
			record = { ...record, ...facts };
			writes.push(store.runs.putRun(record));
		};
		// The journal looks at nothing else of a run.
		const run = { spec: { id, name, kind: "subagent" } } as LiveRun;
		return {
			begin: () => {
				put({});
				put({ status: "RUNNING", startedAt: systemClock.now() });
			},
			committed: (messagesJson, replaces) => writes.push(journal.append(run, messagesJson, [], replaces)),
			end: async (finalText) => {
				put({ status: "COMPLETED", reason: "done", finalText, completedAt: systemClock.now() });
				await Promise.all(writes);
				await journal.close(run);
			},
		};
	}

	return { recordsOf, close: () => store.close() };
}
