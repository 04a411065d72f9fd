// The threads a supervisor starts with: the model gateway, the pool of subagents, and the launchers of threads that an
// agent has to itself: the lead, a teammate, and whoever loads tool modules.

import type { Clock } from "../lib/clock.ts";
import type { AgentLauncher } from "../supervision/launcher.ts";
import type { RunSpec } from "../supervision/live-run.ts";
import { createDedicatedLauncher } from "../thread/dedicated-thread.ts";
import { entryUrl } from "../thread/entries.ts";
import { startGatewayThread } from "../thread/gateway-thread.ts";
import { createIntake } from "../thread/intake.ts";
import { createSubagentPool } from "../thread/subagent-pool.ts";
import type { ModelConfig } from "../wire/model-config.ts";
import { type Environment, gatewayEnvironment } from "./options/environment.ts";
import type { ResolvedOptions } from "./options/options.ts";

const IDLE_THREAD_MS = 30_000;
/** Cold starts at once; a storm of them stalls main. */
const MAX_STARTING = 8;
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
		minThreads: options.modules.length > 0 ? 0 : options.warmThreads,
		maxThreads: options.maxThreads,
		heapMb,
		idleTimeoutMs: IDLE_THREAD_MS,
		maxStarting: MAX_STARTING,
		gateway,
		intake,
		clock,
		onWarning,
	});
	const own = { entry: entries.lead, env: childEnv, gateway, intake, clock };
	const dedicated = createDedicatedLauncher({ ...own, heapMb: heapMb * 2 });
	// What a tool module did to its thread cannot be told from outside, nor from inside it: no other run comes after.
	const apart = createDedicatedLauncher({ ...own, heapMb, maxStarting: MAX_STARTING });
	const subagents: AgentLauncher = {
		launch: (wanted) => (wanted.init.toolModules.length > 0 ? apart : pool).launch(wanted),
	};
	return { gateway, pool, launcherFor: (kind: RunSpec["kind"]) => (kind === "subagent" ? subagents : dedicated) };
}
