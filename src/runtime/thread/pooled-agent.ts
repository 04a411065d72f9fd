// An agent in a thread that others have after it: the thread goes on only if nothing went wrong in it and it is as it
// was before.

import { soon, systemClock } from "../../lib/clock.ts";
import type { AgentStart } from "../../thread/agent-thread-api.ts";
import { createModelLink, type ModelLink } from "../../thread/model-link.ts";
import { runAgentInThread } from "./agent-thread.ts";
import { watchTraces } from "./thread-traces.ts";

/** The thread's connection to the gateway, from one agent to the next. */
let kept: ModelLink | undefined;

/** Runs one agent. Resolves once main has released it and the thread may be used again; else the thread ends. */
export async function runPooledAgent(start: AgentStart): Promise<void> {
	const leaveIfTraces = watchTraces(start.init);
	const model = kept ?? createModelLink(systemClock);
	try {
		await runAgentInThread(start, model);
	} catch (thrown) {
		// A pool keeps a thread whose task has failed; it does not keep one that crashed.
		await new Promise(() => {
			soon(() => {
				throw thrown;
			});
		});
	}
	// A module is anybody's code, and may have got hold of the port.
	const mayBeShared = start.init.toolModules.length > 0;
	kept = mayBeShared ? undefined : model;
	if (mayBeShared) await model.close();
	leaveIfTraces();
}
