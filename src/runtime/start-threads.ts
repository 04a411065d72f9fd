// The threads a supervisor starts with: the model gateway, the pool of subagents, and the launcher of threads that an
// agent has to itself.

import type { Clock } from "../lib/clock.ts";
import { createDedicatedLauncher } from "../thread/dedicated-thread.ts";
import { entryUrl } from "../thread/entries.ts";
import { startGatewayThread } from "../thread/gateway-thread.ts";
import { createIntake } from "../thread/intake.ts";
import { createSubagentPool } from "../thread/subagent-pool.ts";
import type { ModelConfig } from "../wire/model-config.ts";
import { type Environment, gatewayEnvironment } from "./options/environment.ts";
import type { ResolvedOptions } from "./options/options.ts";

const IDLE_THREAD_MS = 30_000;
const DEFAULT_HEAP_MB = 256;

/** Where the thread entries are. @throws ERR_THREAD_START when one is missing */
export function findEntries({ workerUrl }: Pick<ResolvedOptions, "workerUrl">) {
	return {
		subagent: entryUrl("subagent", workerUrl),
		lead: entryUrl("lead", workerUrl),
		gateway: entryUrl("gateway", workerUrl),
	};
}

export interface ThreadParts {
	readonly options: ResolvedOptions;
	readonly entries: ReturnType<typeof findEntries>;
	readonly modelConfig: ModelConfig;
	readonly env: Environment;
	/** What agents and their children see of it. */
	readonly childEnv: Record<string, string>;
	readonly budget: SharedArrayBuffer;
	readonly clock: Clock;
}

export function startThreads({ options, entries, modelConfig, env, childEnv, budget, clock }: ThreadParts) {
	const { onWarning } = options;
	const heapMb = options.limits.heapMb ?? DEFAULT_HEAP_MB;
	const intake = createIntake();
	const gateway = startGatewayThread({
		entry: entries.gateway,
		config: modelConfig,
		env: gatewayEnvironment(env),
		budget,
		clock,
		onWarning,
	});
	const pool = createSubagentPool({
		entry: entries.subagent,
		env: childEnv,
		minThreads: options.warmThreads,
		maxThreads: options.maxThreads,
		heapMb,
		idleTimeoutMs: IDLE_THREAD_MS,
		maxStarting: 8,
		gateway,
		intake,
		clock,
		onWarning,
	});
	const dedicated = createDedicatedLauncher({
		entry: entries.lead,
		env: childEnv,
		heapMb: heapMb * 2,
		gateway,
		intake,
		clock,
	});
	return { gateway, pool, dedicated };
}
