// The inside end of an agent's model port: model calls go to the gateway thread, replies come back.
// When the gateway dies its ports close; calls in flight wait for the new port that main sends and start again,
// so an agent notices a dead gateway as a delay.

import type { MessagePort } from "node:worker_threads";
import { ClowderError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import { onAbort } from "../lib/on-abort.ts";
import { fromErrorData } from "../wire/error-data.ts";
import type {
	CallModel,
	ModelCallOptions,
	ModelCommand,
	ModelEvent,
	ModelReply,
	ModelRequest,
} from "../wire/model-call.ts";
import { closePort } from "./close-port.ts";

/** How often one call may be started again on a new gateway. */
const MAX_RESTARTS = 3;
/** How long calls wait for a new gateway, in ms. */
const REPLACEMENT_TIMEOUT_MS = 30_000;

interface OpenCall {
	readonly request: ModelRequest;
	readonly options: ModelCallOptions;
	readonly reply: Deferred<ModelReply>;
	restarts: number;
}

export interface ModelLink {
	readonly callModel: CallModel;
	replacePort(port: MessagePort): void;
	close(): Promise<void>;
}

export function createModelLink(firstPort: MessagePort, clock: Clock): ModelLink {
	const calls = new Map<number, OpenCall>();
	let nextId = 1;
	let port: MessagePort | undefined;
	let closed = false;

	function usePort(next: MessagePort): void {
		port = next;
		next.on("message", onEvent);
		next.on("close", () => {
			if (port === next) onPortLost();
		});
		for (const [callId, call] of calls) start(callId, call);
	}

	function start(callId: number, call: OpenCall): void {
		send({ type: "start-call", callId, request: call.request });
	}

	function send(command: ModelCommand): void {
		port?.postMessage(command);
	}

	function onEvent(event: ModelEvent): void {
		const call = calls.get(event.callId);
		if (!call) return;
		switch (event.type) {
			case "call-delta":
				call.options.onDelta?.(event.text);
				send({ type: "grant-credit", callId: event.callId, credit: 1 });
				return;
			case "call-retrying":
				call.options.onRetry?.({ attempt: event.attempt, delayMs: event.delayMs, message: event.error.message });
				return;
			case "call-finished":
				call.reply.resolve(event.reply);
				return;
			case "call-failed":
				call.reply.reject(fromErrorData(event.error));
		}
	}

	function onPortLost(): void {
		port = undefined;
		if (closed) return;
		for (const call of calls.values()) {
			call.restarts += 1;
			if (call.restarts > MAX_RESTARTS) call.reply.reject(gatewayGone());
			else call.options.onRetry?.({ attempt: call.restarts + 1, delayMs: 0, message: "the model gateway restarted" });
		}
		clock.after(REPLACEMENT_TIMEOUT_MS, () => {
			if (port) return;
			for (const call of calls.values()) call.reply.reject(gatewayGone());
		});
	}

	async function callModel(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply> {
		const aborted = () => new ClowderError("ERR_ABORTED", "The model call was cancelled");
		if (options.signal.aborted) throw aborted();
		const callId = nextId;
		nextId += 1;
		const call: OpenCall = { request, options, reply: createDeferred<ModelReply>(), restarts: 0 };
		calls.set(callId, call);
		const forget = onAbort(options.signal, () => {
			send({ type: "cancel-call", callId });
			call.reply.reject(aborted());
		});
		try {
			start(callId, call);
			return await call.reply.promise;
		} finally {
			calls.delete(callId);
			forget();
		}
	}

	usePort(firstPort);
	return {
		callModel,
		replacePort: usePort,
		close: () => {
			closed = true;
			return port ? closePort(port) : Promise.resolve();
		},
	};
}

function gatewayGone(): ClowderError {
	return new ClowderError("ERR_THREAD_GONE", "The model gateway is gone and did not come back");
}
