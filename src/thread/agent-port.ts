// The outside end of one agent's control port: validates what comes in, posts what goes out.

import { MessageChannel, type MessagePort } from "node:worker_threads";
import { createDeferred } from "../lib/deferred.ts";
import { type AgentCommand, type AgentReport, agentReportsSchema } from "../wire/control.ts";
import type { Intake } from "./intake.ts";

export interface AgentPort {
	/** The end to transfer into the agent's thread. */
	readonly inner: MessagePort;
	post(command: AgentCommand): void;
	/** Settles when the agent's side is closed and everything it posted before has been handled. */
	readonly closed: Promise<void>;
	close(): void;
}

export interface AgentPortOptions {
	readonly intake: Intake;
	onReport(report: AgentReport): void;
	onMalformed(detail: string): void;
}

export function openAgentPort({ intake, onReport, onMalformed }: AgentPortOptions): AgentPort {
	const { port1: outer, port2: inner } = new MessageChannel();
	const closed = createDeferred();
	const lane = intake.lane();

	function receive(message: unknown): void {
		const parsed = agentReportsSchema.safeParse(message);
		if (parsed.success) for (const report of parsed.data) onReport(report);
		else onMalformed(describeMalformed(message, parsed.error.issues[0]?.message));
	}

	outer.on("message", (message: unknown) => {
		if (!lane.take(() => receive(message))) onMalformed("it sent more than main can take");
	});
	outer.on("messageerror", (error) => onMalformed(error.message));
	outer.on("close", () => {
		// Order: behind what it sent before. A full lane belongs to an agent that is being ended.
		if (!lane.take(closed.resolve)) closed.resolve();
	});
	return {
		inner,
		post: (command) => {
			if (command.type === "replace-model-port") outer.postMessage(command, [command.port]);
			else outer.postMessage(command);
		},
		closed: closed.promise,
		close: () => outer.close(),
	};
}

function describeMalformed(message: unknown, issue: string | undefined): string {
	const type =
		typeof message === "object" && message !== null && "type" in message ? String(message.type) : typeof message;
	return `${type.slice(0, 60)}: ${issue ?? "not a known message"}`;
}
