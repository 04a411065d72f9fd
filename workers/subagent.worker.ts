// What a pool thread runs, one subagent after another, each built afresh. Entered through subagent.cjs.
export { runPooledAgent as runAgent } from "../src/runtime/thread/pooled-agent.ts";
