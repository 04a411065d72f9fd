// A call that may run: the tool's own work, and what the PostToolUse hooks make of its result.

import { messageOf } from "../errors.ts";
import { onAbort } from "../lib/on-abort.ts";
import type { Tool } from "../tools/definition.ts";
import type { ToolUseBlock } from "../wire/conversation.ts";
import { hookNote } from "./added-text.ts";
import { INTERRUPTED_RESULT } from "./history-invariants.ts";
import { type ResultText, readOutput } from "./result-text.ts";
import type { AgentDeps } from "./types.ts";

export interface ReadyCall {
	readonly call: ToolUseBlock;
	readonly tool: Tool;
	/** Checked, and as hooks and the permission answer left it. */
	readonly input: unknown;
}

export interface ReviewedResult extends ResultText {
	/** Text for the model to stand behind the results. */
	readonly contexts: readonly string[];
	/** A hook ended the agent's turn, and why. */
	readonly stop?: string;
}

/** Runs the tool. Never rejects: what it throws is an error result. */
export async function executeCall(deps: AgentDeps, ready: ReadyCall, signal: AbortSignal): Promise<ResultText> {
	const { call, tool, input } = ready;
	// The call's own signal: it aborts with the prompt's, and the prompt's keeps no listener of an ended call.
	const controller = new AbortController();
	const forget = onAbort(signal, () => controller.abort(signal.reason));
	deps.meter.touch();
	try {
		return readOutput(tool.name, await tool.execute(input, deps.toolContext(call.id, controller.signal)));
	} catch (thrown) {
		if (signal.aborted) return { content: INTERRUPTED_RESULT, isError: true };
		const text = messageOf(thrown);
		return { content: text.startsWith("Error: ") ? text : `Error: ${text}`, isError: true };
	} finally {
		forget();
	}
}

/** Shows the result to the PostToolUse hooks. The tool has run: a hook can change what the model reads, no more. */
export async function reviewResult(
	deps: AgentDeps,
	{ call, tool, input }: ReadyCall,
	result: ResultText,
	durationMs: number,
	signal: AbortSignal,
): Promise<ReviewedResult> {
	const { content, isError } = result;
	const facts = { toolUseId: call.id, toolName: tool.name, input, result: { content, isError, durationMs } };
	const hooked = await deps.hooks.fire("PostToolUse", facts, signal);
	// Whatever a hook was about to say, the result of what has been done stands.
	if (signal.aborted) return { ...result, contexts: [] };
	if (hooked.kind === "stop") return { ...result, contexts: [], stop: hooked.reason };
	if (hooked.kind === "block") return { ...result, contexts: [hookNote("PostToolUse", hooked.reason)] };
	const contexts = hooked.context ? [hookNote("PostToolUse", hooked.context)] : [];
	if (hooked.kind === "continue") return { content, isError, contexts };
	const replaced = typeof hooked.value === "string" ? hooked.value : (JSON.stringify(hooked.value) ?? "");
	return { content: replaced, isError, contexts };
}
