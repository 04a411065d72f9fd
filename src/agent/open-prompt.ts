// How a prompt begins: with a person's words, after the hooks have seen them, or with mail that woke the agent.

import type { TextBlock } from "../wire/conversation.ts";
import type { RunOutcome } from "../wire/run.ts";
import { hookNote } from "./added-text.ts";
import { textBlock } from "./blocks.ts";
import { outputNote } from "./check-output.ts";
import { byteSize } from "./context-gauge.ts";
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
	if (prompt === undefined) return openMail(deps);
	if (isBlank(prompt)) return refuse("The prompt is empty");
	const tokens = deps.state.gauge.tokensIn(byteSize(prompt));
	if (tokens > deps.contextWindow) {
		const sizes = `about ${tokens} tokens, and the model's window holds ${deps.contextWindow}`;
		return refuse(`The prompt is too long: ${sizes}. Put the text into a file and name the file`);
	}
	const schema = deps.outputSchemaJson === undefined ? [] : [textBlock(outputNote(deps.outputSchemaJson))];
	// A subagent's prompt is another agent's words, not a user's; it has one, with which it starts.
	const hooked =
		deps.identity.kind === "subagent" ? await tellOfStart(deps, signal) : await askHooks(deps, prompt, signal);
	if (typeof hooked === "string") return refuse(`A hook blocked the prompt: ${hooked}`);
	return { kind: "opened", opening: { blocks: [textBlock(prompt), ...hooked, ...schema] } };
}

function openMail(deps: AgentDeps): OpenedPrompt {
	const mail = deps.inbox.take();
	if (mail.length === 0) return { kind: "ended", outcome: { reason: "done", finalText: "" } };
	return { kind: "opened", opening: { blocks: [], mail } };
}

// What the hooks add, or why they do not let the prompt through.
async function askHooks(deps: AgentDeps, prompt: string, signal: AbortSignal): Promise<TextBlock[] | string> {
	const firing = deps.hooks.fire("UserPromptSubmit", { prompt }, signal);
	const fired = await untilAborted(firing, { signal, clock: deps.clock });
	if (fired.kind === "abandoned" || signal.aborted) return [];
	if (fired.value.kind === "block" || fired.value.kind === "stop") return fired.value.reason;
	return fired.value.context ? [textBlock(hookNote("UserPromptSubmit", fired.value.context))] : [];
}

// What the hooks have to say to a subagent that starts. They cannot stop it: its dispatch was judged before.
async function tellOfStart(deps: AgentDeps, signal: AbortSignal): Promise<TextBlock[]> {
	const { runId, agentType, name: description } = deps.identity;
	const firing = deps.hooks.fire("SubagentStart", { runId, agentType, description }, signal);
	const fired = await untilAborted(firing, { signal, clock: deps.clock });
	const context = fired.kind === "settled" && fired.value.kind === "continue" ? fired.value.context : undefined;
	return context ? [textBlock(hookNote("SubagentStart", context))] : [];
}

function refuse(error: string): OpenedPrompt {
	return { kind: "ended", outcome: { reason: "refused", finalText: "", error } };
}
