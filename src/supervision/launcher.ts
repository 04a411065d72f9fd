// How supervision sees a thread. thread/ implements it; tests implement it without threads.

import type { AgentCommand, AgentInit, RunReport } from "../wire/control.ts";

/** How a thread came to its end. */
export type ThreadEnd =
	| { readonly kind: "released" }
	| { readonly kind: "exited"; readonly exitCode: number }
	| { readonly kind: "crashed"; readonly error: Error }
	| { readonly kind: "out-of-memory"; readonly error: Error }
	| { readonly kind: "failed-to-start"; readonly error: Error }
	/** Ended by `kill`. */
	| { readonly kind: "terminated" };

/** One agent in one thread, seen from main. */
export interface AgentThread {
	/** Posts a command; dropped silently once the thread is gone. */
	post(command: AgentCommand): void;
	/** Settles exactly once, when the thread runs this agent no longer. Never rejects. */
	readonly ended: Promise<ThreadEnd>;
	/** Ends the agent cleanly; `reuse` may return the thread to a pool. */
	release(reuse: boolean): void;
	/** Terminates the thread. `lost`: it did not go within `timeoutMs` and is written off. */
	kill(timeoutMs: number): Promise<"gone" | "lost">;
}

export interface LaunchOptions {
	readonly init: AgentInit;
	/** The thread is being started now: a launcher may have held it back until there was room. */
	onStarting(): void;
	/** Already validated reports, in the order sent. */
	onReport(report: RunReport): void;
	/** The thread broke the agreement (a malformed message, a flood, a closed port): the run is ended. */
	onFault(why: string): void;
}

/** Starts agents in threads. */
export interface AgentLauncher {
	launch(options: LaunchOptions): AgentThread;
}
