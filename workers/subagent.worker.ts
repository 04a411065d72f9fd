// What a pool thread runs, one subagent after another, each built afresh. Entered through subagent.cjs.
export { runAgentInThread as runAgent } from "../src/runtime/thread/agent-thread.ts";
