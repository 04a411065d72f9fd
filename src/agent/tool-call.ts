// One tool call from the model's words to its result. Whatever happens, the answer is one result block;
// nothing a tool, a hook or the permission engine does is thrown through the loop.
//
//   checkCall ── tool-started ── PreToolUse ── permission ── execute ── PostToolUse ── fitResult ── tool-finished
//       └────────────── refused, blocked, denied: an error result, and no store is touched ─────────────┘

import { messageOf } from "../errors.ts";
import type { Tool } from "../tools/definition.ts";
import type { ToolResultBlock, ToolUseBlock } from "../wire/conversation.ts";
import { hookNote } from "./added-text.ts";
import { INTERRUPTED_RESULT } from "./history-invariants.ts";
import { type CheckedCall, checkCall, prepareCall } from "./prepare-call.ts";
import { fitResult, type ResultText, readOutput } from "./result-text.ts";
import type { AgentDeps } from "./types.ts";
import { untilAborted } from "./until-aborted.ts";

/** Half of the run's own grace time: the loop must be done before its thread is ended. */
const DEFAULT_GRACE_MS = 1_000;
const PREVIEW_CHARS = 400;
const SUMMARY_CHARS = 160;

export interface CallOutcome {
	readonly result: ToolResultBlock;
	/** Text for the model to stand behind the results. */
	readonly contexts: readonly string[];
	/** A hook ended the agent's turn, and why. */
	readonly stop?: string | undefined;
}

interface Finished extends ResultText {
	readonly contexts: readonly string[];
	readonly stop?: string;
}

/** The answer to a call that was never started. */
export function notRun(call: ToolUseBlock, why: string): ToolResultBlock {
	return { type: "tool_result", tool_use_id: call.id, content: notRunText(why), is_error: true };
}

function notRunText(why: string): string {
	return `Error: the call did not run: ${why}`;
}

/**
 * Runs one call. Never rejects.
 *
 * **Cancellation**: after `signal` aborts, the call may still finish within the grace time and keeps its result
 * then; one that does not is answered as interrupted, and what it returns later is dropped.
 */
export async function runToolCall(deps: AgentDeps, call: ToolUseBlock, signal: AbortSignal): Promise<CallOutcome> {
	const startedMs = deps.clock.monotonicMs();
	const checked = checkCall(deps.tools, call);
	deps.meter.toolCall();
	deps.emit({ type: "tool-started", toolUseId: call.id, name: call.name, summary: summarise(checked, call) });
	const finished = await finishWithinGrace(deps, call, checked, signal);
	deps.meter.touch();
	deps.emit({
		type: "tool-finished",
		toolUseId: call.id,
		name: call.name,
		isError: finished.isError,
		preview: finished.content.slice(0, PREVIEW_CHARS),
		durationMs: deps.clock.monotonicMs() - startedMs,
	});
	return {
		result: {
			type: "tool_result",
			tool_use_id: call.id,
			content: finished.content,
			...(finished.isError ? { is_error: true } : {}),
		},
		contexts: finished.contexts,
		stop: finished.stop,
	};
}

async function finishWithinGrace(
	deps: AgentDeps,
	call: ToolUseBlock,
	checked: CheckedCall,
	signal: AbortSignal,
): Promise<Finished> {
	if (checked.kind === "refused") return failed(checked.error);
	const { graceMs } = deps.limits;
	const patience = { signal, clock: deps.clock, graceMs: graceMs === undefined ? DEFAULT_GRACE_MS : graceMs / 2 };
	try {
		const outcome = await untilAborted(runPipeline(deps, call, checked, signal), patience);
		return outcome.kind === "settled" ? outcome.value : failed(INTERRUPTED_RESULT);
	} catch (thrown) {
		return failed(signal.aborted ? INTERRUPTED_RESULT : `Error: ${messageOf(thrown)}`);
	}
}

async function runPipeline(
	deps: AgentDeps,
	call: ToolUseBlock,
	checked: Extract<CheckedCall, { kind: "checked" }>,
	signal: AbortSignal,
): Promise<Finished> {
	const prepared = await prepareCall(deps, call, checked, signal);
	const { contexts } = prepared;
	// Race: the abort came while a hook or a person was asked. Nothing may start now.
	if (signal.aborted) return { ...failed(notRunText("it was interrupted first")), contexts };
	if (prepared.kind === "refused") return finish(deps, call, { ...failed(prepared.error), contexts });
	if (prepared.kind === "stopped") return { ...failed(prepared.error), contexts, stop: prepared.why };
	const startedMs = deps.clock.monotonicMs();
	const output = await execute(deps, call, prepared, signal);
	const facts = { toolUseId: call.id, toolName: prepared.tool.name, input: prepared.input };
	const durationMs = deps.clock.monotonicMs() - startedMs;
	const hooked = await deps.hooks.fire("PostToolUse", { ...facts, result: { ...output, durationMs } });
	const finished: Finished = { ...output, contexts: [...contexts] };
	switch (hooked.kind) {
		case "stop":
			return finish(deps, call, { ...finished, stop: hooked.reason }, prepared.tool);
		case "block":
			return finish(
				deps,
				call,
				{ ...finished, contexts: [...contexts, hookNote("PostToolUse", hooked.reason)] },
				prepared.tool,
			);
		case "replace": {
			const content = typeof hooked.value === "string" ? hooked.value : JSON.stringify(hooked.value);
			return finish(deps, call, withContext({ ...finished, content: content ?? "" }, hooked.context), prepared.tool);
		}
		case "continue":
			return finish(deps, call, withContext(finished, hooked.context), prepared.tool);
	}
}

// The call's own signal: it never aborts before the prompt's does, and lets go of the prompt's afterwards.
async function execute(
	deps: AgentDeps,
	call: ToolUseBlock,
	{ tool, input }: { readonly tool: Tool; readonly input: unknown },
	signal: AbortSignal,
): Promise<ResultText> {
	const controller = new AbortController();
	const onAbort = () => controller.abort(signal.reason);
	signal.addEventListener("abort", onAbort, { once: true });
	deps.meter.touch();
	try {
		return readOutput(tool.name, await tool.execute(input, deps.toolContext(call.id, controller.signal)));
	} catch (thrown) {
		if (signal.aborted) return failed(INTERRUPTED_RESULT);
		const text = messageOf(thrown);
		return failed(text.startsWith("Error: ") ? text : `Error: ${text}`);
	} finally {
		signal.removeEventListener("abort", onAbort);
	}
}

async function finish(deps: AgentDeps, call: ToolUseBlock, finished: Finished, tool?: Tool): Promise<Finished> {
	const fitted = await fitResult(deps, { toolUseId: call.id, maxChars: tool?.maxResultChars }, finished);
	return { ...finished, ...fitted };
}

function withContext(finished: Finished, context: string | undefined): Finished {
	return context ? { ...finished, contexts: [...finished.contexts, hookNote("PostToolUse", context)] } : finished;
}

function failed(content: string): Finished {
	return { content, isError: true, contexts: [] };
}

function summarise(checked: CheckedCall, call: ToolUseBlock): string {
	const firstText = () => Object.values(Object(call.input)).find((value) => typeof value === "string") ?? "";
	let summary: unknown;
	try {
		summary = checked.kind === "checked" ? checked.tool.summarize?.(checked.input) : undefined;
	} catch {
		// A module's summary is decoration; the call goes on.
	}
	const text = typeof summary === "string" ? summary : String(firstText());
	return text.replace(/\s+/g, " ").trim().slice(0, SUMMARY_CHARS);
}
