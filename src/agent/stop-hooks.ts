// Asks the Stop hooks (SubagentStop for a subagent) whether the agent may end.

import { systemNote } from "./added-text.ts";
import type { PromptProgress } from "./prompt-progress.ts";
import type { AgentDeps } from "./types.ts";
import { untilAborted } from "./until-aborted.ts";

/** A hook may keep an agent going this often for one prompt. */
const MAX_BLOCKS = 8;

/** What the model is told if it must go on; undefined if it may end. */
export async function askStopHooks(
	deps: AgentDeps,
	progress: PromptProgress,
	lastAssistantMessage: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { kind, runId, agentType } = deps.identity;
	const facts = { stopHookActive: progress.stopBlocks > 0, lastAssistantMessage };
	const firing =
		kind === "subagent"
			? deps.hooks.fire("SubagentStop", { runId, agentType, ...facts }, signal)
			: deps.hooks.fire("Stop", facts, signal);
	const fired = await untilAborted(firing, { signal, clock: deps.clock });
	if (fired.kind === "abandoned" || fired.value.kind !== "block") return undefined;
	if (progress.stopBlocks >= MAX_BLOCKS) {
		deps.emit({ type: "notice", text: `A stop hook blocked ${MAX_BLOCKS} times in a row; the agent ends now` });
		return undefined;
	}
	progress.stopBlocks += 1;
	return systemNote(`A hook does not let you stop yet: ${fired.value.reason}`);
}
