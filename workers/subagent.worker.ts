// Entry of a pool thread: runs one subagent after another, each built afresh.
import { runAgentInThread } from "../src/runtime/thread/agent-thread.ts";

export default runAgentInThread;
