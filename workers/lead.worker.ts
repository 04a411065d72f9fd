// Entry of a thread of its own: the lead, or one teammate.
import { systemClock } from "../src/lib/clock.ts";
import { runAgentInThread } from "../src/runtime/thread/agent-thread.ts";
import type { AgentStart } from "../src/thread/agent-thread-api.ts";
import { createModelLink } from "../src/thread/model-link.ts";
import { exposeToParent } from "../src/thread/own-thread.ts";

exposeToParent({ runAgent: (start: AgentStart) => runAgentInThread(start, createModelLink(systemClock)) });
