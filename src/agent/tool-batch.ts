// The calls of one message: read-only neighbours run at the same time, others one after another, all in order.

import type { ToolResultBlock, ToolUseBlock } from "../wire/conversation.ts";
import { type CallOutcome, notRun, runToolCall } from "./tool-call.ts";
import type { AgentDeps } from "./types.ts";

const MAX_AT_ONCE = 10;

export interface BatchOutcome {
	/** One per call, in the order of the calls. */
	readonly results: readonly ToolResultBlock[];
	readonly contexts: readonly string[];
	/** A hook ended the agent's turn, and why; calls behind it did not run. */
	readonly stop?: string | undefined;
}

/** Runs all calls of one message. `cutCallId` names a call that was cut off by the output limit: it is not run. */
export async function runToolCalls(
	deps: AgentDeps,
	calls: readonly ToolUseBlock[],
	{ signal, cutCallId }: { readonly signal: AbortSignal; readonly cutCallId?: string | undefined },
): Promise<BatchOutcome> {
	deps.meter.phase("tool");
	const outcomes: CallOutcome[] = [];
	let stop: string | undefined;
	const runUnlessOver = async (call: ToolUseBlock): Promise<CallOutcome> => {
		if (call.id === cutCallId) return { result: notRun(call, CUT_CALL), contexts: [] };
		if (signal.aborted) return { result: notRun(call, "it was interrupted first"), contexts: [] };
		if (stop !== undefined) return { result: notRun(call, `a hook stopped the turn: ${stop}`), contexts: [] };
		const outcome = await runToolCall(deps, call, signal);
		stop ??= outcome.stop;
		return outcome;
	};
	for (const group of groupCalls(deps, calls)) outcomes.push(...(await runGroup(deps, group, runUnlessOver)));
	return {
		results: outcomes.map((outcome) => outcome.result),
		contexts: outcomes.flatMap((outcome) => outcome.contexts),
		stop,
	};
}

const CUT_CALL =
	"your reply reached the output limit inside it, so its input is incomplete. Call the tool again with less in one call";

function groupCalls(deps: AgentDeps, calls: readonly ToolUseBlock[]): ToolUseBlock[][] {
	const groups: ToolUseBlock[][] = [];
	let joinsLast = false;
	for (const call of calls) {
		const tool = deps.tools.get(call.name);
		const joins = tool !== undefined && (tool.readOnly || tool.concurrent === true);
		if (joins && joinsLast) groups.at(-1)?.push(call);
		else groups.push([call]);
		joinsLast = joins;
	}
	return groups;
}

// The bound is for calls that work in this thread. Calls that only opt in wait for other threads (`task`),
// and those have a limit of their own.
async function runGroup(
	deps: AgentDeps,
	group: readonly ToolUseBlock[],
	run: (call: ToolUseBlock) => Promise<CallOutcome>,
): Promise<CallOutcome[]> {
	const [first] = group;
	if (first && group.length === 1) return [await run(first)];
	const outcomes = new Map<ToolUseBlock, CallOutcome>();
	const isUnbounded = (call: ToolUseBlock) => deps.tools.get(call.name)?.readOnly !== true;
	const queue = group.filter((call) => !isUnbounded(call));
	const start = async (call: ToolUseBlock) => void outcomes.set(call, await run(call));
	const drain = async () => {
		for (let call = queue.shift(); call; call = queue.shift()) await start(call);
	};
	const lanes = Array.from({ length: Math.min(MAX_AT_ONCE, queue.length) }, drain);
	await Promise.all([...lanes, ...group.filter(isUnbounded).map(start)]);
	return group.flatMap((call) => outcomes.get(call) ?? []);
}
