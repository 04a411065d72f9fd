// Subagents lease a thread from a Piscina pool: one run per thread at a time, everything per run built afresh,
// a thread used again only after a clean run. A pool task lasts until main releases the thread, so whether a
// thread may be used again is decided on main, in one place.

import { atMost, type Clock, waitFor } from "../lib/clock.ts";
import { createDeferred } from "../lib/deferred.ts";
import type { AgentLauncher, AgentThread, LaunchOptions, ThreadEnd } from "../supervision/launcher.ts";
import { openAgentPort } from "./agent-port.ts";
import { threadExecArgv } from "./exec-argv.ts";
import type { GatewayThread } from "./gateway-thread.ts";
import type { Intake } from "./intake.ts";
import { agentResourceLimits } from "./limits.ts";
import { createPoolShards, destroyedBy, type PoolShard, workerOf } from "./pool-shards.ts";
import { createStartGate } from "./start-gate.ts";
import { terminateWorker } from "./terminate-worker.ts";
import { describeWorkerError } from "./worker-end.ts";

export interface SubagentPoolOptions {
	readonly entry: URL;
	readonly env: Readonly<Record<string, string>>;
	/** Threads kept warm. */
	readonly minThreads: number;
	readonly maxThreads: number;
	/** Soft memory mark per agent; the hard limit follows from it. */
	readonly heapMb: number;
	/** How long a thread beyond the minimum stays without work, in ms. */
	readonly idleTimeoutMs: number;
	/** Cold starts at once; a storm of them stalls main. */
	readonly maxStarting: number;
	readonly gateway: GatewayThread;
	readonly intake: Intake;
	readonly clock: Clock;
	onWarning(text: string): void;
}

/** How long a thread that has ended may take to close its port, in ms. */
const LAST_WORDS_MS = 1_000;
/** How long the pool's threads may take to come to the end of their loading, and then to end, in ms. */
const CLOSE_STEP_MS = 2_000;

export interface SubagentPool extends AgentLauncher {
	/** Threads alive now, idle ones included. */
	readonly threads: number;
	close(): Promise<void>;
}

interface Leased {
	/** Where its task is, from its start to its end. */
	shard?: PoolShard;
	/** Set by the agent's first report; a failure before that is a failure to start. */
	ready: boolean;
	fail(end: ThreadEnd): void;
}

export function createSubagentPool(options: SubagentPoolOptions): SubagentPool {
	const execArgv = threadExecArgv();
	const shards = createPoolShards({
		filename: options.entry.href,
		name: "runAgent",
		minThreads: options.minThreads,
		maxThreads: options.maxThreads,
		idleTimeout: options.idleTimeoutMs,
		concurrentTasksPerWorker: 1,
		maxQueue: Number.MAX_SAFE_INTEGER,
		env: { ...options.env },
		resourceLimits: agentResourceLimits(options.heapMb),
		trackUnmanagedFds: true,
		...(execArgv === undefined ? {} : { execArgv }),
		// A thread that fails while no run is on it: whoever waits for a new thread would wait for ever.
		onError: (shard, error) => {
			for (const lease of leases) {
				if (lease.ready || lease.shard !== shard) continue;
				lease.fail({ kind: "failed-to-start", error: error instanceof Error ? error : new Error(String(error)) });
			}
			options.onWarning(`A pool thread failed: ${String(error)}`);
		},
	});
	const leases = new Set<Leased>();
	const gate = createStartGate(options.maxStarting);
	function launch({ init, onStarting, onReport, onFault }: LaunchOptions): AgentThread {
		const ended = createDeferred<ThreadEnd>();
		const abort = new AbortController();
		let threadId: number | undefined;
		let killed = false;
		/** Held back by the gate: there is no thread yet. */
		let isWaiting = true;
		const lease: Leased = { ready: false, fail: (end) => settle(end) };
		leases.add(lease);
		const leaveGate = createDeferred();
		const control = openAgentPort({
			intake: options.intake,
			clock: options.clock,
			ended: ended.promise,
			gateway: options.gateway,
			onReport: (report) => {
				if (report.type === "agent-ready") {
					lease.ready = true;
					threadId = report.threadId;
					leaveGate.resolve();
				}
				onReport(report);
			},
			onFault,
		});

		function settle(end: ThreadEnd): void {
			if (ended.settled) return;
			leases.delete(lease);
			leaveGate.resolve();
			control.close();
			ended.resolve(killed && end.kind !== "out-of-memory" ? { kind: "terminated" } : end);
		}

		async function runTask({ pool }: PoolShard): Promise<ThreadEnd> {
			try {
				await pool.run(
					{ init, controlPort: control.inner },
					{ signal: abort.signal, transferList: [control.inner] as never },
				);
				return { kind: "released" };
			} catch (error) {
				return describeWorkerError(error);
			}
		}

		void gate.enter(leaveGate.promise, async () => {
			if (ended.settled) return;
			isWaiting = false;
			onStarting();
			const shard = shards.enter();
			lease.shard = shard;
			const end = await runTask(shard);
			// Race: from here on the thread may run another agent already, and must not be ended for this one.
			delete lease.shard;
			shards.leave(shard);
			// Order: what the agent posted before a crash is handled first. A port that never left main does not close.
			const mayHaveSpoken = !killed && end.kind !== "released";
			if (mayHaveSpoken) await Promise.race([control.closed, waitFor(options.clock, LAST_WORDS_MS)]);
			settle(end);
		});

		return {
			post: (command) => control.post(command),
			ended: ended.promise,
			release: () => {
				if (isWaiting) settle({ kind: "released" });
				else control.post({ type: "release-thread" });
			},
			kill: async (timeoutMs) => {
				if (ended.settled) return "gone";
				killed = true;
				const { shard } = lease;
				if (!shard) {
					settle({ kind: "terminated" });
					return "gone";
				}
				const worker = threadId === undefined ? destroyedBy(shard, () => abort.abort()) : workerOf(shard, threadId);
				// Order: our own listener on the exit comes before the pool forgets the worker.
				const gone = worker ? terminateWorker(worker, timeoutMs, options.clock) : Promise.resolve("gone" as const);
				abort.abort();
				const how = await gone;
				if (how === "gone") settle({ kind: "terminated" });
				return how;
			},
		};
	}

	return {
		launch,
		get threads() {
			return shards.threads;
		},
		close: async () => {
			// Order: not while they load their modules (leaked file descriptors, see supervision/after-finish).
			await atMost(options.clock, CLOSE_STEP_MS, shards.booted());
			await atMost(options.clock, CLOSE_STEP_MS, shards.destroy());
		},
	};
}
