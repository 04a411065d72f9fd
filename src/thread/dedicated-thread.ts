// The lead and each teammate live in a thread of their own until they end, driven over Comlink.
// The same ports as a subagent's; only the way in and out of the thread differs.

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
import { terminateWorker } from "./terminate-worker.ts";
import { describeWorkerError } from "./worker-end.ts";

export interface DedicatedThreadOptions {
	readonly entry: URL;
	readonly env: Readonly<Record<string, string>>;
	readonly heapMb: number;
	readonly gateway: GatewayThread;
	readonly intake: Intake;
	readonly clock: Clock;
}

export function createDedicatedLauncher(options: DedicatedThreadOptions): AgentLauncher {
	return { launch: (launch) => launchDedicated(options, launch) };
}

function launchDedicated(
	options: DedicatedThreadOptions,
	{ init, onStarting, onReport, onFault }: LaunchOptions,
): AgentThread {
	const ended = createDeferred<ThreadEnd>();
	onStarting();
	const worker = new Worker(options.entry, {
		name: `clowder-${init.name}`,
		env: { ...options.env },
		execArgv: threadExecArgv(),
		resourceLimits: agentResourceLimits(options.heapMb),
		trackUnmanagedFds: true,
	});
	const control = openAgentPort({
		...{ intake: options.intake, clock: options.clock, ended: ended.promise },
		gateway: options.gateway,
		onReport,
		onFault,
	});
	let failure: ThreadEnd | undefined;
	let released = false;
	let killed = false;

	worker.on("error", (error) => {
		failure = describeWorkerError(error);
	});
	worker.once("exit", (exitCode) => void settle({ kind: "exited", exitCode }));

	async function settle(exit: ThreadEnd): Promise<void> {
		// Order: what the agent posted before its end is handled first.
		await control.closed;
		if (failure?.kind === "out-of-memory") return ended.resolve(failure);
		if (killed) return ended.resolve({ kind: "terminated" });
		if (released) return ended.resolve({ kind: "released" });
		ended.resolve(failure ?? exit);
	}

	const api = Comlink.wrap<AgentThreadApi>(nodeEndpoint(worker));
	// The call lasts as long as the agent; when the thread goes first, `exit` settles instead.
	api.runAgent(Comlink.transfer({ init, controlPort: control.inner }, [control.inner] as never)).then(
		() => {
			released = true;
			void worker.terminate();
		},
		(error: unknown) => {
			failure = describeWorkerError(error);
			void worker.terminate();
		},
	);

	return {
		post: (command) => control.post(command),
		ended: ended.promise,
		release: () => control.post({ type: "release-thread" }),
		kill: (timeoutMs) => {
			if (ended.settled) return Promise.resolve("gone");
			killed = true;
			return terminateWorker(worker, timeoutMs, options.clock);
		},
	};
}
