// One tool call from the model's words to its result. Whatever happens, the answer is one result block;
// nothing a tool, a hook or the permission engine does is thrown through the loop.
//
//   checkCall ── tool-started ── PreToolUse ── permission ── execute ── PostToolUse ── fitResult ── tool-finished
//       └────────────── refused, blocked, denied: an error result, and no store is touched ─────────────┘

import { messageOf } from "../errors.ts";
import type { ToolResultBlock, ToolUseBlock } from "../wire/conversation.ts";
import { executeCall, type ReviewedResult, reviewResult } from "./execute-call.ts";
import { INTERRUPTED_RESULT } from "./history-invariants.ts";
import { type CheckedCall, checkCall, type PreparedCall, prepareCall } from "./prepare-call.ts";
import { fitResult } from "./result-text.ts";
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

/** How far a call has come, for the moment at which nobody waits for it any more. */
interface CallLife {
	hasStarted: boolean;
	isAbandoned: boolean;
}

/** The answer to a call that was never started. */
export function notRun(call: ToolUseBlock, why: string): ToolResultBlock {
	return { type: "tool_result", tool_use_id: call.id, content: notRunText(why), is_error: true };
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
	if (deps.isHeard?.() ?? true) {
		deps.emit({ type: "tool-started", toolUseId: call.id, name: call.name, summary: summarise(checked, call) });
	}
	const { content, isError, contexts, stop } = await finishWithinGrace(deps, call, checked, signal);
	deps.meter.touch();
	deps.emit({
		type: "tool-finished",
		toolUseId: call.id,
		name: call.name,
		isError,
		preview: content.slice(0, PREVIEW_CHARS),
		durationMs: deps.clock.monotonicMs() - startedMs,
	});
	const result: ToolResultBlock = { type: "tool_result", tool_use_id: call.id, content };
	return { result: isError ? { ...result, is_error: true } : result, contexts, stop };
}

async function finishWithinGrace(
	deps: AgentDeps,
	call: ToolUseBlock,
	checked: CheckedCall,
	signal: AbortSignal,
): Promise<ReviewedResult> {
	if (checked.kind === "refused") return failed(checked.error);
	const { graceMs } = deps.limits;
	const patience = { signal, clock: deps.clock, graceMs: graceMs === undefined ? DEFAULT_GRACE_MS : graceMs / 2 };
	const life: CallLife = { hasStarted: false, isAbandoned: false };
	try {
		const outcome = await untilAborted(runPipeline(deps, call, checked, signal, life), patience);
		if (outcome.kind === "settled") return outcome.value;
		life.isAbandoned = true;
		return failed(life.hasStarted ? INTERRUPTED_RESULT : INTERRUPTED_FIRST);
	} catch (thrown) {
		return failed(`Error: ${messageOf(thrown)}`);
	}
}

async function runPipeline(
	deps: AgentDeps,
	call: ToolUseBlock,
	checked: Extract<CheckedCall, { kind: "checked" }>,
	signal: AbortSignal,
	life: CallLife,
): Promise<ReviewedResult> {
	const prepared = await prepareSafely(deps, call, checked, signal);
	const { contexts } = prepared;
	// Race: the abort came while a hook or a person was asked. Nothing may start now.
	if (signal.aborted) return { ...failed(INTERRUPTED_FIRST), contexts };
	if (prepared.kind === "refused") return fitted(deps, call, { ...failed(prepared.error), contexts });
	if (prepared.kind === "stopped") return { ...failed(prepared.error), contexts, stop: prepared.why };
	const ready = { call, tool: prepared.tool, input: prepared.input };
	const startedMs = deps.clock.monotonicMs();
	life.hasStarted = true;
	const output = await executeCall(deps, ready, signal);
	if (life.isAbandoned) return { ...output, contexts };
	const reviewed = await reviewResult(deps, ready, output, deps.clock.monotonicMs() - startedMs, signal);
	return fitted(
		deps,
		call,
		{ ...reviewed, contexts: [...contexts, ...reviewed.contexts] },
		prepared.tool.maxResultChars,
	);
}

// Nothing has run yet, so a failure to ask is a refusal.
async function prepareSafely(
	deps: AgentDeps,
	call: ToolUseBlock,
	checked: Extract<CheckedCall, { kind: "checked" }>,
	signal: AbortSignal,
): Promise<PreparedCall> {
	try {
		return await prepareCall(deps, call, checked, signal);
	} catch (thrown) {
		return { kind: "refused", error: `Error: ${messageOf(thrown)}`, contexts: [] };
	}
}

async function fitted(
	deps: AgentDeps,
	call: ToolUseBlock,
	result: ReviewedResult,
	maxChars?: number,
): Promise<ReviewedResult> {
	return { ...result, ...(await fitResult(deps, { toolUseId: call.id, maxChars }, result)) };
}

function failed(content: string): ReviewedResult {
	return { content, isError: true, contexts: [] };
}

function notRunText(why: string): string {
	return `Error: the call did not run: ${why}`;
}

const INTERRUPTED_FIRST = notRunText("it was interrupted first");

function summarise(checked: CheckedCall, call: ToolUseBlock): string {
	let summary: unknown;
	try {
		summary = checked.kind === "checked" ? checked.tool.summarize?.(checked.input) : undefined;
	} catch {
		// A module's summary is decoration; the call goes on.
	}
	const firstText = () => Object.values(Object(call.input)).find((value) => typeof value === "string") ?? "";
	const text = typeof summary === "string" ? summary : String(firstText());
	const line = text.replace(/\s+/g, " ").trim();
	return line.length > SUMMARY_CHARS ? `${line.slice(0, SUMMARY_CHARS - 1)}…` : line;
}
