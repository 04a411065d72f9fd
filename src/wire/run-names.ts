// The names of a run's states and ends. Loads nothing: agent threads use it.

export const RUN_STATUSES = ["PENDING", "RUNNING", "COMPLETED", "FAILED"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_REASONS = [
	"done",
	"cancelled",
	"killed",
	"timeout",
	"idle-timeout",
	"never-started",
	"unresponsive",
	"out-of-memory",
	"crashed",
	"exited",
	"max-turns",
	"budget",
	"provider-error",
	"empty-result",
	"refused",
	"interrupted",
	"lost",
] as const;
/** Why a run ended. Only `done` goes with COMPLETED. */
export type RunReason = (typeof RUN_REASONS)[number];

export const NO_TOTALS = {
	inputTokens: 0,
	outputTokens: 0,
	cacheReadTokens: 0,
	cacheWriteTokens: 0,
	turns: 0,
	toolCalls: 0,
	costUsd: 0,
	modelMs: 0,
};
