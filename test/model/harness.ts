import type { ModelPort } from "../../src/model/serve-port.ts";
import type { Message } from "../../src/wire/conversation.ts";
import type { ModelCaller, ModelCommand, ModelEvent, ModelRequest } from "../../src/wire/model-call.ts";

export const caller = (over: Partial<ModelCaller> = {}): ModelCaller => ({
	runId: "task_1",
	name: "lead",
	agentType: "general",
	turn: 1,
	row: 0,
	epoch: 1,
	...over,
});

export const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

export const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
	caller: caller(),
	model: "claude-sonnet-5-5",
	system: "You help.",
	toolsJson: "[]",
	messagesJson: [JSON.stringify(user("Hello"))],
	maxTokens: 1_000,
	...over,
});

/** One agent's side of a port that exists only in memory. */
export interface AgentSide {
	readonly port: ModelPort;
	readonly events: ModelEvent[];
	readonly isClosed: boolean;
	send(command: ModelCommand | unknown): void;
	start(callId: number, over?: Partial<ModelRequest>): void;
	/** The events of one call without their deltas. */
	of(callId: number): ModelEvent[];
	textOf(callId: number): string;
	vanish(): void;
	onEvent?: (event: ModelEvent) => void;
}

export function createAgentSide(): AgentSide {
	const events: ModelEvent[] = [];
	const messageListeners: ((message: unknown) => void)[] = [];
	const closeListeners: (() => void)[] = [];
	let isClosed = false;
	const side: AgentSide = {
		events,
		get isClosed() {
			return isClosed;
		},
		port: {
			post(event) {
				if (isClosed) throw new Error("posted to a closed port");
				events.push(structuredClone(event));
				side.onEvent?.(event);
			},
			onMessage: (listener) => void messageListeners.push(listener),
			onClose: (listener) => void closeListeners.push(listener),
			close() {
				if (isClosed) return;
				isClosed = true;
				for (const listener of closeListeners) listener();
			},
		},
		send(command) {
			for (const listener of messageListeners) listener(structuredClone(command));
		},
		start(callId, over) {
			const { system, toolsJson, ...rest } = request(over);
			side.send({ type: "use-prefix", prefix: { system, toolsJson } });
			side.send({ type: "start-call", callId, request: rest });
		},
		of: (callId) => events.filter((event) => event.callId === callId && event.type !== "call-delta"),
		textOf: (callId) =>
			events.flatMap((event) => (event.type === "call-delta" && event.callId === callId ? event.text : [])).join(""),
		vanish() {
			side.port.close();
		},
	};
	return side;
}
