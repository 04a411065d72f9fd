// Entry of a thread of its own: the lead, or one teammate.
import { runAgentInThread } from "../src/runtime/thread/agent-thread.ts";
import { exposeToParent } from "../src/thread/own-thread.ts";

exposeToParent({ runAgent: runAgentInThread });
