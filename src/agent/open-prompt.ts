// How a prompt begins: with a person's words, after the hooks have seen them, or with mail that woke the agent.

import type { RunOutcome } from "../wire/run.ts";
import { hookNote } from "./added-text.ts";
import { textBlock } from "./blocks.ts";
import type { Opening } from "./turn-boundary.ts";
import type { AgentDeps } from "./types.ts";
import { untilAborted } from "./until-aborted.ts";
import { isBlank } from "./well-formed.ts";

export type OpenedPrompt =
	| { readonly kind: "opened"; readonly opening: Opening }
	| { readonly kind: "ended"; readonly outcome: RunOutcome };

/** `prompt` undefined: the agent was woken and reads its mail; without any there is nothing to do. */
export async function openPrompt(
	deps: AgentDeps,
	prompt: string | undefined,
	signal: AbortSignal,
): Promise<OpenedPrompt> {
	if (prompt === undefined) {
		const mail = deps.inbox.take();
		if (mail.length === 0) return { kind: "ended", outcome: { reason: "done", finalText: "" } };
		return { kind: "opened", opening: { blocks: [], mail } };
	}
	if (isBlank(prompt)) {
		return { kind: "ended", outcome: { reason: "refused", finalText: "", error: "The prompt is empty" } };
	}
	// A subagent's prompt is another agent's words, not a user's.
	if (deps.identity.kind === "subagent") return { kind: "opened", opening: { blocks: [textBlock(prompt)] } };
	const firing = deps.hooks.fire("UserPromptSubmit", { prompt });
	const fired = await untilAborted(firing, { signal, clock: deps.clock });
	const hooked = fired.kind === "settled" ? fired.value : undefined;
	if (hooked?.kind === "block" || hooked?.kind === "stop") {
		const error = `A hook blocked the prompt: ${hooked.reason}`;
		return { kind: "ended", outcome: { reason: "refused", finalText: "", error } };
	}
	const context = hooked?.context ? [textBlock(hookNote("UserPromptSubmit", hooked.context))] : [];
	return { kind: "opened", opening: { blocks: [textBlock(prompt), ...context] } };
}
