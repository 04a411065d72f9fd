// A thread's connection to the gateway thread: the model calls of the agent that the thread runs go there, replies come
// back. It outlives the agent, because a new one for each costs three threads work. Main opens the port when it is asked
// to. When the gateway dies its ports close; calls in flight wait for a port to its successor and start again, so an
// agent notices a dead gateway as a delay.

import type { MessagePort } from "node:worker_threads";
import { ClowderError } from "../errors.ts";
import type { Clock, TimerHandle } from "../lib/clock.ts";
import { createDeferred, type Deferred } from "../lib/deferred.ts";
import { onAbort } from "../lib/on-abort.ts";
import { fromErrorData } from "../wire/error-data.ts";
import type {
	CallModel,
	ModelCallOptions,
	ModelCommand,
	ModelEvent,
	ModelPrefix,
	ModelReply,
	ModelRequest,
} from "../wire/model-call.ts";

/** How often one call may be started again on a new gateway. */
const MAX_RESTARTS = 3;
/** How long calls wait for a port, in ms. */
const PORT_TIMEOUT_MS = 30_000;

interface OpenCall {
	readonly request: ModelRequest;
	readonly options: ModelCallOptions;
	readonly reply: Deferred<ModelReply>;
	restarts: number;
}

export interface ModelLink {
	readonly callModel: CallModel;
	/** An agent begins; `askForPort` makes main send a port, now and whenever it is lost. */
	attach(askForPort: () => void): void;
	usePort(port: MessagePort): void;
	/** There will be none: open calls fail, and so do later ones until a port is there. */
	refuse(error: Error): void;
	/** The agent is over: its open calls are cancelled. The connection stays. */
	detach(): void;
}

export function createModelLink(clock: Clock): ModelLink {
	const calls = new Map<number, OpenCall>();
	let nextId = 1;
	let port: MessagePort | undefined;
	/** What the gateway knows of this port. */
	let prefix: ModelPrefix | undefined;
	let askForPort: (() => void) | undefined;
	let patience: TimerHandle | undefined;
	let refusal: Error | undefined;

	function usePort(next: MessagePort): void {
		patience?.cancel();
		refusal = undefined;
		port = next;
		prefix = undefined;
		next.on("message", onEvent);
		next.on("close", () => {
			if (port === next) onPortLost();
		});
		for (const [callId, call] of calls) start(callId, call);
	}

	function start(callId: number, call: OpenCall): void {
		const {
			system,
			toolsJson,
			caller,
			model,
			messagesJson,
			maxTokens,
			toolFree = false,
			deltas = false,
		} = call.request;
		if (prefix?.system !== system || prefix.toolsJson !== toolsJson) {
			prefix = { system, toolsJson };
			send({ type: "use-prefix", prefix });
		}
		send({ type: "start-call", callId, request: { caller, model, messagesJson, maxTokens, toolFree, deltas } });
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
		for (const call of calls.values()) {
			call.restarts += 1;
			if (call.restarts > MAX_RESTARTS) call.reply.reject(gatewayGone());
			else call.options.onRetry?.({ attempt: call.restarts + 1, delayMs: 0, message: "the model gateway restarted" });
		}
		requestPort();
	}

	function requestPort(): void {
		if (!askForPort) return;
		refusal = undefined;
		askForPort();
		patience?.cancel();
		patience = clock.after(PORT_TIMEOUT_MS, () => refuse(gatewayGone()));
	}

	function refuse(error: Error): void {
		patience?.cancel();
		refusal = error;
		for (const call of calls.values()) call.reply.reject(error);
	}

	async function callModel(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply> {
		const aborted = () => new ClowderError("ERR_ABORTED", "The model call was cancelled");
		if (options.signal.aborted) throw aborted();
		if (refusal) throw refusal;
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

	return {
		callModel,
		usePort,
		refuse,
		attach: (ask) => {
			askForPort = ask;
			if (!port) requestPort();
		},
		detach: () => {
			askForPort = undefined;
			patience?.cancel();
			for (const [callId, call] of calls) {
				send({ type: "cancel-call", callId });
				call.reply.reject(new ClowderError("ERR_ABORTED", "The agent is over"));
			}
		},
	};
}

function gatewayGone(): ClowderError {
	return new ClowderError("ERR_THREAD_GONE", "The model gateway is gone and did not come back");
}
