// The outside end of one agent's control port: validates what comes in, posts what goes out. What the agent's side
// does to it, whatever that is, becomes a fault of that agent and nothing else.

import { MessageChannel, type MessagePort } from "node:worker_threads";
import { messageOf } from "../errors.ts";
import { type Clock, waitFor } from "../lib/clock.ts";
import { createDeferred } from "../lib/deferred.ts";
import { createFloodGate } from "../lib/flood-gate.ts";
import { type AgentCommand, type AgentReport, agentReportsSchema, type RunReport } from "../wire/control.ts";
import { toErrorData } from "../wire/error-data.ts";
import { MAX_REPORTS } from "../wire/report-limits.ts";
import type { GatewayThread } from "./gateway-thread.ts";
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
	readonly clock: Clock;
	/** Settles when the thread runs this agent no longer. */
	readonly ended: Promise<unknown>;
	readonly gateway: Pick<GatewayThread, "connect">;
	onReport(report: RunReport): void;
	/** The agent's side broke the agreement; nothing is read from it any more. */
	onFault(why: string): void;
}

/** Reports in a second and messages in a round, far above what an agent at work sends. */
const MOST = { perSecond: 10_000, perRound: 1_000 };
/** Connections to the gateway that one agent may ask for; each restart of the gateway costs one. */
const MAX_MODEL_PORTS = 100;
/** How long a thread whose port is closed may take to end: its exit tells more than the closed port. */
const LAST_WORDS_MS = 2_000;

export function openAgentPort({ intake, clock, ended, gateway, onReport, onFault }: AgentPortOptions): AgentPort {
	const { port1: outer, port2: inner } = new MessageChannel();
	const closed = createDeferred();
	const lane = intake.lane();
	const gate = createFloodGate(clock, MOST);
	let isOver = false;
	let modelPorts = 0;

	function fail(why: string): void {
		if (isOver) return;
		isOver = true;
		// Order: without a listener the port hands out nothing more of what waits in it, and closes at once.
		outer.removeAllListeners("message");
		outer.close();
		onFault(why);
	}

	function receive(message: unknown): void {
		if (isOver) return;
		const reports = readReports(message);
		if (typeof reports === "string") return fail(`Its thread sent a malformed message: ${reports}`);
		for (const report of reports) {
			if (report.type === "need-model-port") void sendModelPort();
			else onReport(report);
		}
	}

	async function sendModelPort(): Promise<void> {
		modelPorts += 1;
		if (modelPorts > MAX_MODEL_PORTS) return fail("Its thread asked for too many connections to the model gateway");
		try {
			const port = await gateway.connect();
			if (isOver || closed.settled) port.close();
			else outer.postMessage({ type: "use-model-port", port } satisfies AgentCommand, [port]);
		} catch (thrown) {
			outer.postMessage({ type: "no-model-port", error: toErrorData(thrown) } satisfies AgentCommand);
		}
	}

	outer.on("message", (message: unknown) => {
		if (isOver) return;
		const isFair = gate.admit(Array.isArray(message) ? message.length : 1);
		if (!isFair || !lane.take(() => receive(message))) fail("Its thread flooded the main thread with messages");
	});
	outer.on("messageerror", (error) => fail(`Its thread sent a malformed message: ${error.message}`));
	outer.on("close", () => {
		// Order: behind what it sent before. A full lane belongs to an agent that is being ended.
		if (!lane.take(closed.resolve)) closed.resolve();
	});
	void closed.promise
		.then(() => Promise.race([ended.then(() => true), waitFor(clock, LAST_WORDS_MS)]))
		.then((isGone) => {
			if (isGone !== true) fail("Its thread closed its connection to the main thread");
		});
	return {
		inner,
		post: (command) => outer.postMessage(command),
		closed: closed.promise,
		close: () => outer.close(),
	};
}

/** The reports of a message, or what is wrong with it. */
function readReports(message: unknown): readonly AgentReport[] | string {
	// Order: counted before each is looked at, which costs main far more than it costs the sender.
	if (Array.isArray(message) && message.length > MAX_REPORTS) return `${message.length} reports at once`;
	try {
		const parsed = agentReportsSchema.safeParse(message);
		return parsed.success ? parsed.data : describeMalformed(message, parsed.error.issues[0]?.message);
	} catch (thrown) {
		return messageOf(thrown);
	}
}

function describeMalformed(message: unknown, issue: string | undefined): string {
	const named = typeof message === "object" && message !== null && "type" in message ? message.type : undefined;
	const type = typeof named === "string" ? named : typeof message;
	return `${type.slice(0, 60)}: ${issue ?? "not a known message"}`;
}
