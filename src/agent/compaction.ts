// Keeps a conversation inside its model's window, cheapest means first: tool results to files (shrink-results.ts),
// then a summary by the model (summarise.ts, rebuild-history.ts). Each agent has its own window.
// A step that fails leaves the conversation as it was before that step.

import type { HookOutcome } from "../hooks/events.ts";
import type { Message } from "../wire/conversation.ts";
import { hookNote } from "./added-text.ts";
import { requestBytes } from "./call-model.ts";
import { findHistoryFaults } from "./history-invariants.ts";
import { rebuildHistory } from "./rebuild-history.ts";
import { shrinkResults } from "./shrink-results.ts";
import { summariseConversation } from "./summarise.ts";
import type { AgentDeps } from "./types.ts";
import { untilAborted } from "./until-aborted.ts";

/** Shares of the room that is left for a request besides the reply. */
const FULL = 0.9;
const GOOD_ENOUGH = 0.75;
const TARGET = 0.55;
/** Shares of the room for what stays besides the summary. */
const TEXTS = 0.15;
const TAIL = 0.2;
const UNSEEN = 0.3;
/** How much a request must have grown since the last compaction before there is another. */
const GROWTH = 0.1;

export type CompactionResult =
	| {
			readonly kind: "compacted";
			/** Tokens of a whole request, estimated. */
			readonly tokensBefore: number;
			readonly tokensAfter: number;
			/** The model wrote a summary; else only tool results went to files. */
			readonly summarised: boolean;
	  }
	/** There is nothing that could go. */
	| { readonly kind: "unchanged" }
	/** A PreCompact hook blocked it. */
	| { readonly kind: "blocked"; readonly error: string }
	| { readonly kind: "failed"; readonly error: string };

interface CompactionOptions {
	readonly trigger: "auto" | "manual";
	readonly focus: string;
	readonly signal: AbortSignal;
}

/** Compacts when the next request would leave too little room; called before every model call. */
export async function compactIfNearlyFull(deps: AgentDeps, signal: AbortSignal): Promise<void> {
	const { state } = deps;
	const bytes = requestBytes(deps, deps.conversation.messagesJson);
	state.compactedBytes = Math.min(state.compactedBytes, bytes);
	if (bytes <= room(deps) * FULL) return;
	// Where system prompt and tools alone fill the window, or summaries fail, not every turn must pay for another try.
	const grown = bytes - state.compactedBytes;
	if (state.compactedBytes > 0 && grown < room(deps) * GROWTH) return;
	await compact(deps, { trigger: "auto", focus: "", signal });
}

/** Compacts after the provider found the prompt too long; the gauge knows by then what does not fit. */
export function compactAfterTooLong(deps: AgentDeps, signal: AbortSignal): Promise<CompactionResult> {
	return compact(deps, { trigger: "auto", focus: "", signal });
}

/**
 * Compacts because a person asked for it (`/compact [focus]`); always lets the model write a summary.
 *
 * **Contract**: only between prompts.
 */
export async function compactNow(deps: AgentDeps, focus: string, signal: AbortSignal): Promise<CompactionResult> {
	try {
		return await compact(deps, { trigger: "manual", focus, signal });
	} finally {
		deps.meter.phase("idle");
	}
}

async function compact(deps: AgentDeps, options: CompactionOptions): Promise<CompactionResult> {
	const { trigger, focus, signal } = options;
	deps.state.compactedBytes = requestBytes(deps, deps.conversation.messagesJson);
	const firing = deps.hooks.fire("PreCompact", { trigger, focus }, signal);
	const fired = await untilAborted(firing, { signal, clock: deps.clock });
	if (fired.kind === "abandoned" || signal.aborted) return { kind: "failed", error: "it was interrupted" };
	const blocked = blockedBy(fired.value);
	if (blocked !== undefined) return { kind: "blocked", error: `a PreCompact hook blocked the compaction: ${blocked}` };
	const bytesBefore = requestBytes(deps, deps.conversation.messagesJson);
	await shrink(deps);
	const isEnough = trigger === "auto" && requestBytes(deps, deps.conversation.messagesJson) <= room(deps) * GOOD_ENOUGH;
	const problem = isEnough ? undefined : await summarise(deps, options);
	const bytesAfter = requestBytes(deps, deps.conversation.messagesJson);
	deps.state.compactedBytes = bytesAfter;
	if (bytesAfter < bytesBefore) {
		const { gauge } = deps.state;
		const tokens = { tokensBefore: gauge.tokensIn(bytesBefore), tokensAfter: gauge.tokensIn(bytesAfter) };
		const summarised = !isEnough && problem === undefined;
		// Results that went to files are nothing a person must know of; a summary is.
		if (summarised) {
			deps.emit({ type: "notice", text: describe(tokens) });
			await beginAnew(deps, signal);
		} else deps.emit({ type: "log", level: "info", text: describe(tokens) });
		return { kind: "compacted", ...tokens, summarised };
	}
	return problem === undefined || problem === NOTHING_TO_GO
		? { kind: "unchanged" }
		: { kind: "failed", error: problem };
}

// What the hooks told the conversation at its start may be gone with the summary: they may tell it again.
async function beginAnew(deps: AgentDeps, signal: AbortSignal): Promise<void> {
	if (deps.identity.kind !== "lead") return;
	const firing = deps.hooks.fire("SessionStart", { source: "compact" }, signal);
	const fired = await untilAborted(firing, { signal, clock: deps.clock });
	const context = fired.kind === "settled" && fired.value.kind === "continue" ? fired.value.context : undefined;
	if (context) deps.state.pendingTexts.push(hookNote("SessionStart", context));
}

async function shrink(deps: AgentDeps): Promise<void> {
	const { conversation } = deps;
	const place = { outputDir: deps.outputDir, runId: deps.identity.runId };
	const bytesToSave = requestBytes(deps, conversation.messagesJson) - room(deps) * TARGET;
	const before = conversation.messages;
	const after = await shrinkResults(place, before, { bytesToSave, unseenBytes: room(deps) * UNSEEN });
	if (after.some((message, index) => message !== before[index])) conversation.replaceAll(after);
}

const NOTHING_TO_GO = "there is nothing to summarise";

// The problem in words, or undefined when the summary stands.
async function summarise(deps: AgentDeps, { trigger, focus, signal }: CompactionOptions): Promise<string | undefined> {
	const { conversation } = deps;
	const budget = {
		textBytes: room(deps) * TEXTS,
		// A person who asks for it wants all of it summarised, save the last turn.
		tailBytes: trigger === "manual" ? 0 : room(deps) * TAIL,
	};
	const { messages, messagesJson } = conversation;
	const rebuild = (summary: string) => rebuildHistory({ messages, messagesJson, summary, ...budget });
	if (!rebuild("")) return NOTHING_TO_GO;
	const summary = await summariseConversation(deps, focus, signal);
	const problem = summary.kind === "failed" ? summary.error : replaceBy(deps, rebuild(summary.text) ?? []);
	if (problem !== undefined && problem !== NOTHING_TO_GO && !signal.aborted) {
		deps.emit({ type: "notice", text: `The conversation could not be summarised: ${problem}` });
	}
	return problem;
}

function replaceBy({ conversation }: AgentDeps, rebuilt: readonly Message[]): string | undefined {
	const fault = findHistoryFaults(rebuilt)[0];
	if (fault) return `the shorter conversation would break a rule: ${fault.detail}`;
	const newSize = JSON.stringify(rebuilt).length;
	if (newSize >= conversation.messagesJson.reduce((sum, json) => sum + json.length, 0)) return NOTHING_TO_GO;
	conversation.replaceAll(rebuilt);
	return undefined;
}

// Bytes that a request may hold: the reply needs its share of the window too.
function room({ contextWindow, maxTokens, state }: AgentDeps): number {
	return state.gauge.roomBytes(contextWindow, Math.min(maxTokens, contextWindow / 4));
}

function blockedBy(outcome: HookOutcome): string | undefined {
	return outcome.kind === "block" || outcome.kind === "stop" ? outcome.reason : undefined;
}

function describe({ tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number }): string {
	const thousands = (tokens: number) => `${Math.max(1, Math.round(tokens / 1000))}k`;
	return `Conversation compacted: about ${thousands(tokensBefore)} → ${thousands(tokensAfter)} tokens`;
}
