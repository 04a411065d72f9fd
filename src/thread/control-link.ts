// The inside end of an agent's control port: reports go out, commands come in, questions to main get answers.

import type { MessagePort } from "node:worker_threads";
import { ClowderError } from "../errors.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import type { AgentCommand, AgentReport } from "../wire/control.ts";
import { fromErrorData } from "../wire/error-data.ts";
import type { AskMain } from "../wire/requests.ts";

export interface ControlLink {
	post(report: AgentReport): void;
	/** Commands other than answers, which go to whoever asked. */
	onCommand(listener: (command: AgentCommand) => void): void;
	readonly ask: AskMain;
	close(): void;
}

export function createControlLink(port: MessagePort): ControlLink {
	const open = new Map<number, Deferred<unknown>>();
	let nextId = 1;
	let listener: (command: AgentCommand) => void = () => {};

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
		const onAbort = () => answer.reject(aborted(method));
		signal?.addEventListener("abort", onAbort, { once: true });
		open.set(requestId, answer);
		try {
			port.postMessage({ type: "request", requestId, method, params });
			return await answer.promise;
		} finally {
			open.delete(requestId);
			signal?.removeEventListener("abort", onAbort);
		}
	}

	return {
		post: (report) => port.postMessage(report),
		onCommand: (next) => {
			listener = next;
		},
		ask: ask as AskMain,
		close: () => port.close(),
	};
}

function aborted(method: string): ClowderError {
	return new ClowderError("ERR_ABORTED", `The request '${method}' was cancelled`);
}
