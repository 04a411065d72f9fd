// One agent's port: checks what comes in, starts and cancels its calls, and sends what they produce.
// The agent side may write anything; what is not a command ends this port and no other.

import { createFloodGate } from "../lib/flood-gate.ts";
import { toErrorData } from "../wire/error-data.ts";
import {
	type ModelCommand,
	type ModelEvent,
	type ModelPrefix,
	type ModelRequest,
	modelCommandSchema,
} from "../wire/model-call.ts";
import { createDeltaFlow, type DeltaFlow } from "./delta-flow.ts";
import { type Redact, redactErrorData } from "./redact.ts";
import { type CallDeps, type ComingAttempt, runCall } from "./run-call.ts";

/** A port to one agent, seen from the gateway. Wraps a MessagePort, or nothing but memory in a test. */
export interface ModelPort {
	post(event: ModelEvent): void;
	onMessage(listener: (message: unknown) => void): void;
	onClose(listener: () => void): void;
	close(): void;
}

export interface PortDeps extends CallDeps {
	readonly redact: Redact;
	/** One copy of what many agents send. */
	share(text: string): string;
	onMalformed(detail: string): void;
	onCallEnded(end: "finished" | "failed" | "cancelled"): void;
	onRetry(): void;
	onClosed(): void;
}

export interface ServedPort {
	readonly isClosed: boolean;
	readonly callsInFlight: number;
	/** Cancels its calls without an answer and closes the port; a second time does nothing. */
	close(): void;
}

interface LiveCall {
	readonly controller: AbortController;
	readonly deltas: DeltaFlow | undefined;
}

/** Of one agent, which makes a call after another. */
const MAX_CALLS = 64;
const MOST = { perSecond: 5_000, perRound: 1_000 };

export function servePort(port: ModelPort, deps: PortDeps): ServedPort {
	const calls = new Map<number, LiveCall>();
	const gate = createFloodGate(deps.clock, MOST);
	let prefix: ModelPrefix | undefined;
	/** The run that the port serves; a thread serves one after another. */
	let runId: string | undefined;
	let isClosed = false;

	function changeRun(next: string | undefined): void {
		if (runId !== undefined && runId !== next) deps.estimator.forget(runId);
		runId = next;
	}

	function close(): void {
		if (isClosed) return;
		isClosed = true;
		for (const call of calls.values()) {
			call.deltas?.stop();
			call.controller.abort();
		}
		changeRun(undefined);
		deps.onClosed();
		port.close();
	}

	function post(event: ModelEvent): void {
		if (isClosed) return;
		try {
			port.post(event);
		} catch {
			// The other side is gone, or the port is: its close event may never come.
			close();
		}
	}

	async function serveCall(callId: number, request: ModelRequest): Promise<void> {
		const deltas = request.deltas
			? createDeltaFlow(deps.clock, (text) => post({ type: "call-delta", callId, text }))
			: undefined;
		const call: LiveCall = { controller: new AbortController(), deltas };
		calls.set(callId, call);
		try {
			const sink = {
				onText: (text: string) => deltas?.push(text),
				onWaiting: ({ attempt, delayMs, error }: ComingAttempt) => {
					deltas?.discard();
					if (attempt > 1) deps.onRetry();
					post({ type: "call-retrying", callId, attempt, delayMs, error: describe(error) });
				},
			};
			const reply = await runCall(deps, request, sink, call.controller.signal);
			deltas?.finish();
			deps.onCallEnded("finished");
			post({ type: "call-finished", callId, reply });
		} catch (thrown) {
			deltas?.stop();
			deps.onCallEnded(call.controller.signal.aborted ? "cancelled" : "failed");
			post({ type: "call-failed", callId, error: describe(thrown) });
		} finally {
			calls.delete(callId);
		}
	}

	const describe = (thrown: unknown) => redactErrorData(toErrorData(thrown), deps.redact);

	function obey(command: ModelCommand): void {
		switch (command.type) {
			case "use-prefix":
				prefix = { system: deps.share(command.prefix.system), toolsJson: deps.share(command.prefix.toolsJson) };
				return;
			case "start-call":
				if (!prefix) return refuse(`call ${command.callId} was started before its prefix was known`);
				if (calls.has(command.callId)) return refuse(`call ${command.callId} was started twice`);
				if (calls.size >= MAX_CALLS) return refuse(`it made more than ${MAX_CALLS} calls at once`);
				changeRun(command.request.caller.runId);
				void serveCall(command.callId, { ...command.request, ...prefix });
				return;
			// A call that has just ended is not an error: its end and the command crossed.
			case "cancel-call":
				calls.get(command.callId)?.controller.abort();
				return;
			case "grant-credit":
				calls.get(command.callId)?.deltas?.grant(command.credit);
		}
	}

	function refuse(detail: string): void {
		deps.onMalformed(detail);
		close();
	}

	port.onMessage((message) => {
		if (isClosed) return;
		if (!gate.admit()) return refuse("it floods the gateway with commands");
		const parsed = modelCommandSchema.safeParse(message);
		if (parsed.success) obey(parsed.data);
		else refuse(parsed.error.issues.map(({ path, message: fault }) => `${path.join(".")}: ${fault}`).join("; "));
	});
	port.onClose(close);

	return {
		get isClosed() {
			return isClosed;
		},
		get callsInFlight() {
			return calls.size;
		},
		close,
	};
}
