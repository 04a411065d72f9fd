// An agent in a thread that others have after it: the thread goes on only if nothing went wrong in it and there is room
// left. No program's tool module is ever loaded here.

import { soon, systemClock } from "../../lib/clock.ts";
import type { AgentStart } from "../../thread/agent-thread-api.ts";
import { createModelLink, type ModelLink } from "../../thread/model-link.ts";
import { runAgentInThread } from "./agent-thread.ts";
import { leaveIfFull } from "./thread-traces.ts";

/** The thread's connection to the gateway, from one agent to the next. */
let kept: ModelLink | undefined;

/** Runs one agent. Resolves once main has released it and the thread may be used again; else the thread ends. */
export async function runPooledAgent(start: AgentStart): Promise<void> {
	kept ??= createModelLink(systemClock);
	try {
		await runAgentInThread(start, kept);
	} catch (thrown) {
		// A pool keeps a thread whose task has failed; it does not keep one that crashed.
		await new Promise(() => {
			soon(() => {
				throw thrown;
			});
		});
	}
	leaveIfFull(start.init);
}
