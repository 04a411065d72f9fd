// What an agent thread is given and what may be called inside it. Types only.

import type { MessagePort } from "node:worker_threads";
import type { AgentInit } from "../wire/control.ts";

/** What crosses once, when an agent starts: a pool task's data, or the argument of `runAgent`. */
export interface AgentStart {
	readonly init: AgentInit;
	readonly controlPort: MessagePort;
}

/** The Comlink face of a lead's or teammate's thread. */
export interface AgentThreadApi {
	/** Resolves when main has released the agent. */
	runAgent(start: AgentStart): Promise<void>;
}
