// An agent in a thread that others have after it: the thread goes on only if nothing went wrong in it and it is as it
// was before.

import { soon } from "../../lib/clock.ts";
import type { AgentStart } from "../../thread/agent-thread-api.ts";
import { runAgentInThread } from "./agent-thread.ts";
import { watchTraces } from "./thread-traces.ts";

/** Runs one agent. Resolves once main has released it and the thread may be used again; else the thread ends. */
export async function runPooledAgent(start: AgentStart): Promise<void> {
	const leaveIfTraces = watchTraces(start.init);
	try {
		await runAgentInThread(start);
	} catch (thrown) {
		// A pool keeps a thread whose task has failed; it does not keep one that crashed.
		await new Promise(() => {
			soon(() => {
				throw thrown;
			});
		});
	}
	leaveIfTraces();
}
