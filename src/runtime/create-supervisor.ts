// The way in for programs. Light on purpose: a tool module that imports `defineTool` from "clowder" loads this file in
// every agent's thread. All that is heavy (the store's native addon, the pool, the schemas) comes with the first call.

import type { SupervisorOptions } from "./options/options.ts";
import type { Supervisor } from "./supervisor.ts";

/**
 * Starts a supervisor: a model gateway thread, a warm pool of agent threads, and the stores of this project.
 *
 * **Contract**: rejects, leaving nothing behind, when anything it was given cannot be used.
 * @throws ERR_BAD_OPTION (names the option), ERR_FILE, ERR_BAD_INPUT (a tool's schema), ERR_PERMISSION_RULE,
 * ERR_MODEL_CONFIG, ERR_TOO_MANY_THREADS, ERR_STATE_DIR, ERR_STATE_CORRUPT, ERR_STATE_VERSION, ERR_UNKNOWN_SESSION,
 * ERR_SESSION_IN_USE, ERR_THREAD_START
 * @example
 * await using supervisor = await createSupervisor({ cwd: "/srv/repo", maxConcurrent: 4 });
 * const run = supervisor.spawn({ description: "find TODOs", prompt: "List every TODO.", agentType: "explore" });
 * console.log((await run.result()).finalText);
 */
export async function createSupervisor(given: SupervisorOptions = {}): Promise<Supervisor> {
	const { assembleSupervisor } = await import("./assemble-supervisor.ts");
	return assembleSupervisor(given);
}
