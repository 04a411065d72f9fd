// A run: one agent's life in one thread, as main, the store and the agent thread name it.

import * as z from "zod";
import { RUN_REASONS, RUN_STATUSES } from "./run-names.ts";

export type { RunReason, RunStatus } from "./run-names.ts";

export const usageTotalsSchema = z.object({
	inputTokens: z.number(),
	outputTokens: z.number(),
	cacheReadTokens: z.number(),
	cacheWriteTokens: z.number(),
	turns: z.number(),
	toolCalls: z.number(),
	costUsd: z.number(),
	modelMs: z.number(),
});
/** What a run used so far. Tokens and calls are counts, cost is US dollars, `modelMs` the time of its model calls. */
export type UsageTotals = z.infer<typeof usageTotalsSchema>;

const keptWorktreeSchema = z.object({ path: z.string(), branch: z.string() });
export type KeptWorktree = z.infer<typeof keptWorktreeSchema>;

export const runRecordSchema = z.object({
	id: z.string(),
	sessionId: z.string(),
	/** The agent that asked for this run; absent for a run the host started. */
	parentId: z.string().optional(),
	kind: z.enum(["subagent", "lead", "teammate"]),
	name: z.string(),
	description: z.string(),
	prompt: z.string(),
	agentType: z.string(),
	/** The model it asks for; known once it runs. */
	model: z.string().optional(),
	depth: z.number().int(),
	background: z.boolean(),
	status: z.enum(RUN_STATUSES),
	reason: z.enum(RUN_REASONS).optional(),
	finalText: z.string().optional(),
	error: z.string().optional(),
	/** Milliseconds since the Unix epoch, as are the next two. */
	createdAt: z.number(),
	startedAt: z.number().optional(),
	completedAt: z.number().optional(),
	threadId: z.number().int().optional(),
	usage: usageTotalsSchema,
	/** Its own copy of the working tree, kept at the end because something was done in it. */
	worktree: keptWorktreeSchema.optional(),
});
/** The durable facts of one run. The store holds the truth after the end, the board while it lives. */
export type RunRecord = z.infer<typeof runRecordSchema>;

/** Caps of one run. Absent = no cap, save where a default is named. */
export interface RunLimits {
	/** Model turns. @default 50 */
	readonly turns?: number;
	/** Wall time from RUNNING to the end, in ms; stands still while a person is asked. */
	readonly wallMs?: number;
	/** Soft memory mark for heap plus external memory, in MB; above it the thread is ended. @default 256 */
	readonly heapMb?: number;
	/** Input plus output tokens. */
	readonly tokens?: number;
	/** US dollars. */
	readonly usd?: number;
	/** Longest time without any sign of progress in a model call or tool, in ms. @default 600_000 */
	readonly idleMs?: number;
	/** Longest time from thread start to its first heartbeat, in ms. @default 30_000 */
	readonly startMs?: number;
	/** Longest time without a heartbeat (a blocked event loop), in ms. @default 15_000 */
	readonly unresponsiveMs?: number;
	/** Time between asking a run to stop and ending its thread, in ms. @default 2_000 */
	readonly graceMs?: number;
}

export const runOutcomeSchema = z.object({
	reason: z.enum(RUN_REASONS),
	finalText: z.string(),
	error: z.string().optional(),
});
/** How an agent's loop ended, as the loop itself sees it. */
export type RunOutcome = z.infer<typeof runOutcomeSchema>;
