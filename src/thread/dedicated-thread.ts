// The lead, each teammate and each agent with tool modules live in a thread of their own until they end, driven over
// Comlink. The same ports as a pooled subagent's; only the way in and out of the thread differs.

import { Worker } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import type { Clock } from "../lib/clock.ts";
import { createDeferred } from "../lib/deferred.ts";
import type { AgentLauncher, AgentThread, LaunchOptions, ThreadEnd } from "../supervision/launcher.ts";
import { openAgentPort } from "./agent-port.ts";
import type { AgentThreadApi } from "./agent-thread-api.ts";
import { threadExecArgv } from "./exec-argv.ts";
import type { GatewayThread } from "./gateway-thread.ts";
import type { Intake } from "./intake.ts";
import { agentResourceLimits } from "./limits.ts";
import { createStartGate, type StartGate } from "./start-gate.ts";
import { terminateWorker } from "./terminate-worker.ts";
import { describeWorkerError } from "./worker-end.ts";

export interface DedicatedThreadOptions {
	readonly entry: URL;
	readonly env: Readonly<Record<string, string>>;
	readonly heapMb: number;
	/** Cold starts at once. @default no limit */
	readonly maxStarting?: number;
	readonly gateway: GatewayThread;
	readonly intake: Intake;
	readonly clock: Clock;
}

export function createDedicatedLauncher(options: DedicatedThreadOptions): AgentLauncher {
	const gate = options.maxStarting === undefined ? undefined : createStartGate(options.maxStarting);
	return { launch: (launch) => launchDedicated(options, gate, launch) };
}

function launchDedicated(
	options: DedicatedThreadOptions,
	gate: StartGate | undefined,
	{ init, onStarting, onReport, onFault }: LaunchOptions,
): AgentThread {
	const ended = createDeferred<ThreadEnd>();
	const ready = createDeferred();
	let worker: Worker | undefined;
	const control = openAgentPort({
		...{ intake: options.intake, clock: options.clock, ended: ended.promise },
		gateway: options.gateway,
		onReport: (report) => {
			if (report.type === "agent-ready") ready.resolve();
			onReport(report);
		},
		onFault,
	});
	let failure: ThreadEnd | undefined;
	let released = false;
	let killed = false;

	async function settle(exit: ThreadEnd): Promise<void> {
		// Order: what the agent posted before its end is handled first.
		await control.closed;
		if (failure?.kind === "out-of-memory") return ended.resolve(failure);
		if (killed) return ended.resolve({ kind: "terminated" });
		if (released) return ended.resolve({ kind: "released" });
		ended.resolve(failure ?? exit);
	}

	function endUnstarted(end: ThreadEnd): void {
		control.close();
		ended.resolve(end);
	}

	async function begin(): Promise<void> {
		if (ended.settled) return;
		onStarting();
		try {
			startThread();
		} catch (thrown) {
			endUnstarted({ kind: "failed-to-start", error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
		}
	}

	function startThread(): void {
		const thread = new Worker(options.entry, {
			name: `clowder-${init.name}`,
			env: { ...options.env },
			execArgv: threadExecArgv(),
			resourceLimits: agentResourceLimits(options.heapMb),
			trackUnmanagedFds: true,
		});
		worker = thread;
		thread.on("error", (error) => {
			failure = describeWorkerError(error);
		});
		thread.once("exit", (exitCode) => void settle({ kind: "exited", exitCode }));
		const api = Comlink.wrap<AgentThreadApi>(nodeEndpoint(thread));
		// The call lasts as long as the agent; when the thread goes first, `exit` settles instead.
		api.runAgent(Comlink.transfer({ init, controlPort: control.inner }, [control.inner] as never)).then(
			() => {
				released = true;
				void thread.terminate();
			},
			(error: unknown) => {
				failure = describeWorkerError(error);
				void thread.terminate();
			},
		);
	}

	if (gate)
		void gate.enter(
			Promise.race([ready.promise, ended.promise]).then(() => {}),
			begin,
		);
	else void begin();

	return {
		post: (command) => control.post(command),
		ended: ended.promise,
		release: () => {
			if (worker) control.post({ type: "release-thread" });
			else endUnstarted({ kind: "released" });
		},
		kill: (timeoutMs) => {
			if (ended.settled) return Promise.resolve("gone");
			killed = true;
			if (!worker) {
				endUnstarted({ kind: "terminated" });
				return Promise.resolve("gone");
			}
			return terminateWorker(worker, timeoutMs, options.clock);
		},
	};
}
