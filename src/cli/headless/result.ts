// The one object a headless run ends with: `--output-format json` prints it, `stream-json` prints it last.

import type { Lead, PromptResult } from "../../runtime/agents/lead.ts";
import type { Supervisor } from "../../runtime/supervisor.ts";
import { sumTotals, treeTotals } from "../../runtime/totals.ts";
import type { Teammate } from "../../teams/roster.ts";
import type { RunReason, RunRecord, UsageTotals } from "../../wire/run.ts";
import { NO_TOTALS } from "../../wire/run-names.ts";

export interface HeadlessResult {
	readonly type: "result";
	readonly subtype: "success" | "error_max_turns" | "error_during_execution" | "error_max_budget_usd";
	readonly is_error: boolean;
	readonly result: string;
	readonly reason: RunReason;
	/** What went wrong, for people. */
	readonly error?: string;
	readonly structured_output?: unknown;
	readonly num_turns: number;
	readonly duration_ms: number;
	readonly duration_api_ms: number;
	readonly total_cost_usd: number;
	readonly usage: ReturnType<typeof toUsage>;
	readonly modelUsage: Readonly<Record<string, ReturnType<typeof toModelUsage>>>;
	readonly permission_denials: readonly unknown[];
	/** With `treeUsage`: what the run used together with all runs below it. */
	readonly runs: readonly (ReturnType<typeof toRunSummary> & { readonly treeUsage: UsageTotals })[];
	/** Agents that stayed until the end of the run; absent without any. */
	readonly teammates?: readonly Teammate[];
	readonly session_id: string;
	readonly uuid: string;
}

const SUBTYPES: Partial<Record<RunReason, HeadlessResult["subtype"]>> = {
	done: "success",
	"max-turns": "error_max_turns",
	budget: "error_max_budget_usd",
};

export function toHeadlessResult(
	supervisor: Supervisor,
	lead: Lead,
	last: PromptResult,
	durationMs: number,
): HeadlessResult {
	const records = supervisor.runs();
	const totals = sumTotals(records);
	return {
		type: "result",
		subtype: SUBTYPES[last.reason] ?? "error_during_execution",
		is_error: last.reason !== "done",
		result: last.finalText,
		reason: last.reason,
		...(last.error === undefined ? {} : { error: last.error }),
		num_turns: lead.usage.turns,
		duration_ms: Math.round(durationMs),
		duration_api_ms: totals.modelMs,
		total_cost_usd: totals.costUsd,
		usage: toUsage(totals),
		modelUsage: byModel(records, lead),
		permission_denials: supervisor.denials(),
		runs: records
			.filter((record) => record.kind === "subagent")
			.map((record) => ({ ...toRunSummary(record), treeUsage: treeTotals(records, record.id) })),
		...(supervisor.team.list().length === 0 ? {} : { teammates: supervisor.team.list() }),
		session_id: supervisor.sessionId,
		uuid: crypto.randomUUID(),
	};
}

/** What a run ends with that could not be started. */
export function failedStart(error: string, sessionId: string | undefined): HeadlessResult {
	return {
		type: "result",
		subtype: "error_during_execution",
		is_error: true,
		result: error,
		reason: "never-started",
		error,
		num_turns: 0,
		duration_ms: 0,
		duration_api_ms: 0,
		total_cost_usd: 0,
		usage: toUsage(NO_TOTALS),
		modelUsage: {},
		permission_denials: [],
		runs: [],
		session_id: sessionId ?? "",
		uuid: crypto.randomUUID(),
	};
}

function byModel(records: readonly RunRecord[], lead: Lead): HeadlessResult["modelUsage"] {
	const models = new Map<string, RunRecord[]>([[lead.model, []]]);
	for (const record of records) {
		if (record.model === undefined) continue;
		models.set(record.model, [...(models.get(record.model) ?? []), record]);
	}
	return Object.fromEntries([...models].map(([model, ofModel]) => [model, toModelUsage(sumTotals(ofModel))]));
}

function toUsage(usage: UsageTotals) {
	return {
		input_tokens: usage.inputTokens,
		output_tokens: usage.outputTokens,
		cache_read_input_tokens: usage.cacheReadTokens,
		cache_creation_input_tokens: usage.cacheWriteTokens,
	};
}

function toModelUsage(usage: UsageTotals) {
	return {
		inputTokens: usage.inputTokens,
		outputTokens: usage.outputTokens,
		cacheReadInputTokens: usage.cacheReadTokens,
		cacheCreationInputTokens: usage.cacheWriteTokens,
		costUSD: usage.costUsd,
	};
}

export function toRunSummary(record: RunRecord) {
	return {
		id: record.id,
		description: record.description,
		agentType: record.agentType,
		status: record.status,
		reason: record.reason,
		threadId: record.threadId,
		startedAt: record.startedAt,
		completedAt: record.completedAt,
		usage: record.usage,
		...(record.worktree === undefined ? {} : { worktree: record.worktree }),
	};
}
