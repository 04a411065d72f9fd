// Tools that main has run in an agent's thread for the person who talks with it: a command whose output belongs into a
// prompt, a file that the prompt names. Agent work, so not main's; what may run has been decided before.

import { ClowderError } from "../errors.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import { onAbort } from "../lib/on-abort.ts";
import type { AgentCommand, HostCall } from "../wire/control.ts";

export interface HostCallResult {
	readonly content: string;
	readonly isError: boolean;
}

export class HostCalls {
	readonly #post: (command: AgentCommand) => void;
	readonly #open = new Map<number, { readonly call: HostCall; readonly result: Deferred<HostCallResult> }>();
	#count = 0;
	#hasThread = false;
	#isClosed = false;

	constructor(post: (command: AgentCommand) => void) {
		this.#post = post;
	}

	/** The agent has a thread now that reads commands. */
	open(): void {
		this.#hasThread = true;
		for (const { call } of this.#open.values()) this.#post({ type: "run-tool", call });
	}

	/**
	 * Runs a tool in the agent's thread as soon as there is one. A tool's failure is a result.
	 *
	 * @throws ERR_ABORTED when the signal aborts, ERR_CLOSED when the agent ends first
	 */
	async run(wanted: Omit<HostCall, "callId">, signal: AbortSignal): Promise<HostCallResult> {
		if (signal.aborted) throw aborted();
		if (this.#isClosed) throw ended();
		this.#count += 1;
		const call = { ...wanted, callId: this.#count };
		const result = createDeferred<HostCallResult>();
		this.#open.set(call.callId, { call, result });
		const forget = onAbort(signal, () => {
			if (this.#hasThread) this.#post({ type: "cancel-tool", callId: call.callId });
			result.reject(aborted());
		});
		try {
			if (this.#hasThread) this.#post({ type: "run-tool", call });
			return await result.promise;
		} finally {
			this.#open.delete(call.callId);
			forget();
		}
	}

	/** The agent's report; one that nobody waits for is dropped. */
	finish(callId: number, result: HostCallResult): void {
		this.#open.get(callId)?.result.resolve(result);
	}

	/** The agent has ended. */
	close(): void {
		this.#isClosed = true;
		for (const { result } of this.#open.values()) result.reject(ended());
	}
}

const aborted = () => new ClowderError("ERR_ABORTED", "The prompt was interrupted");
const ended = () => new ClowderError("ERR_CLOSED", "The agent ended before its tool had run");
