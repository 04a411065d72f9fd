// Before a call runs: find the tool, check the input, ask the hooks, ask for permission. Nothing here touches
// a store; a call that is answered here has had no effect anywhere.

import { messageOf } from "../errors.ts";
import type { Tool } from "../tools/definition.ts";
import { formatInputErrors } from "../tools/input-errors.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { ToolUseBlock } from "../wire/conversation.ts";
import { hookNote } from "./added-text.ts";
import type { AgentDeps } from "./types.ts";

/** A call that may go on, or the error it is answered with. */
export type CheckedCall =
	| { readonly kind: "checked"; readonly tool: Tool; readonly input: unknown }
	| { readonly kind: "refused"; readonly error: string };

/** A call that may run now, or the error it is answered with. */
export type PreparedCall = (
	| CheckedCall
	| { readonly kind: "stopped"; readonly error: string; readonly why: string }
) & {
	/** What hooks add for the model. */
	readonly contexts: readonly string[];
};

/** Finds the tool and checks the input the model wrote. */
export function checkCall(tools: ToolRegistry, call: ToolUseBlock): CheckedCall {
	const tool = tools.get(call.name);
	if (tool) return checkInput(tool, call.input);
	const known = tools.names().join(", ") || "none";
	return { kind: "refused", error: `Error: unknown tool '${call.name}'. Known tools: ${known}` };
}

/** Asks the hooks, then the permission engine; either may put another input in the place of the model's. */
export async function prepareCall(
	deps: AgentDeps,
	call: ToolUseBlock,
	checked: Extract<CheckedCall, { kind: "checked" }>,
	signal: AbortSignal,
): Promise<PreparedCall> {
	const { tool } = checked;
	const toolUseId = call.id;
	const toolName = tool.name;
	const hooked = await deps.hooks.fire("PreToolUse", { toolUseId, toolName, input: checked.input }, signal);
	if (hooked.kind === "stop") {
		const error = `Error: the call was stopped by a hook: ${hooked.reason}`;
		return { kind: "stopped", error, why: hooked.reason, contexts: [] };
	}
	if (hooked.kind === "block") {
		return { kind: "refused", error: `Error: the call was blocked by a hook: ${hooked.reason}`, contexts: [] };
	}
	const contexts = hooked.context ? [hookNote("PreToolUse", hooked.context)] : [];
	const rewritten = hooked.kind === "replace" ? checkInput(tool, hooked.value, "a hook") : checked;
	if (rewritten.kind === "refused") return { ...rewritten, contexts };
	const permitted = await deps.authorize({ toolUseId, toolName, input: rewritten.input }, hooked.permission, signal);
	if (permitted.decision === "deny") return { kind: "refused", error: permitted.message, contexts };
	if (permitted.updatedInput === undefined) return { ...rewritten, contexts };
	return { ...checkInput(tool, permitted.updatedInput, "the permission answer"), contexts };
}

function checkInput(tool: Tool, input: unknown, author?: string): CheckedCall {
	try {
		const parsed = tool.inputSchema.safeParse(input);
		if (parsed.success) return { kind: "checked", tool, input: parsed.data };
		const error = formatInputErrors(parsed.error.issues, input);
		return { kind: "refused", error: author ? `${error} (input rewritten by ${author})` : error };
	} catch (thrown) {
		const error = `Error: the input of tool '${tool.name}' could not be checked: ${messageOf(thrown)}`;
		return { kind: "refused", error };
	}
}
