// The inside end of an agent's control port: reports go out, commands come in, questions to main get answers.

import type { MessagePort } from "node:worker_threads";
import { ClowderError } from "../errors.ts";
import { soon } from "../lib/clock.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import { onAbort } from "../lib/on-abort.ts";
import type { AgentCommand, AgentReport } from "../wire/control.ts";
import { fromErrorData } from "../wire/error-data.ts";
import { MAX_REPORTS } from "../wire/report-limits.ts";
import type { AskMain } from "../wire/requests.ts";
import { closePort } from "./close-port.ts";

export interface ControlLink {
	/** Tells main something, in order; crosses at the end of this round of the event loop, with what else there is. */
	post(report: AgentReport): void;
	/** Commands other than answers, which go to whoever asked. */
	onCommand(listener: (command: AgentCommand) => void): void;
	readonly ask: AskMain;
	/** Resolves when main has been told: a pool thread that then sleeps could not tell it any more. */
	close(): Promise<void>;
}

export function createControlLink(port: MessagePort): ControlLink {
	const open = new Map<number, Deferred<unknown>>();
	let nextId = 1;
	let listener: (command: AgentCommand) => void = () => {};

	/** Reports that have not crossed yet. Each crossing wakes the main thread, which costs more than its content. */
	let waiting: AgentReport[] = [];

	function flush(): void {
		if (waiting.length === 0) return;
		const reports = waiting;
		waiting = [];
		port.postMessage(reports);
	}

	function post(report: AgentReport): void {
		waiting.push(report);
		if (waiting.length === 1) soon(flush);
		else if (waiting.length === MAX_REPORTS) flush();
	}

	port.on("message", (command: AgentCommand) => {
		if (command.type === "settle-request") open.get(command.requestId)?.resolve(command.value);
		else if (command.type === "fail-request") open.get(command.requestId)?.reject(fromErrorData(command.error));
		else listener(command);
	});
	port.on("close", () => {
		for (const request of open.values()) request.reject(new ClowderError("ERR_CLOSED", "The main thread is gone"));
	});

	async function ask(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
		if (signal?.aborted) throw aborted(method);
		const requestId = nextId;
		nextId += 1;
		const answer = createDeferred<unknown>();
		const forget =
			signal &&
			onAbort(signal, () => {
				answer.reject(aborted(method));
				post({ type: "cancel-request", requestId });
			});
		open.set(requestId, answer);
		try {
			// Order: all that was reported before is there when main answers; nothing waits for the next round.
			waiting.push({ type: "request", requestId, method, params } as AgentReport);
			flush();
			return await answer.promise;
		} finally {
			open.delete(requestId);
			forget?.();
		}
	}

	return {
		post,
		onCommand: (next) => {
			listener = next;
		},
		ask: ask as AskMain,
		close: () => {
			flush();
			return closePort(port);
		},
	};
}

function aborted(method: string): ClowderError {
	return new ClowderError("ERR_ABORTED", `The request '${method}' was cancelled`);
}
