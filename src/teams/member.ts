// A teammate as it is kept: what it was spawned as, which run carries its conversation, and how it ended.
// Whether it works or rests is no fact of the record: that is read from its run (roster.ts).

import * as z from "zod";
import { ClowderError } from "../errors.ts";
import { RUN_REASONS } from "../wire/run-names.ts";

export const TEAMMATE_STATUSES = ["IDLE", "RUNNING", "WAITING_APPROVAL", "STOPPED", "FAILED"] as const;
export type TeammateStatus = (typeof TEAMMATE_STATUSES)[number];

export const memberSchema = z.object({
	sessionId: z.string(),
	name: z.string(),
	/** What it is in the team for, in a few words. */
	role: z.string(),
	agentType: z.string(),
	model: z.string().optional(),
	isolation: z.literal("worktree").optional(),
	/** It may change nothing before its plan is approved. */
	requirePlan: z.boolean(),
	/** The address that is told what becomes of it. */
	lead: z.string(),
	/** Place in the order of spawning. */
	order: z.number().int(),
	/** Milliseconds since the Unix epoch. */
	spawnedAt: z.number(),
	/** The run that carries it, or carried it last. */
	runId: z.string(),
	/** Absent while it lives; also for one whose process was lost. */
	end: z
		.object({
			/** STOPPED: it was shut down, and its conversation is over. FAILED: it can be spawned again and goes on. */
			status: z.enum(["STOPPED", "FAILED"]),
			reason: z.enum(RUN_REASONS),
			error: z.string().optional(),
			at: z.number(),
		})
		.optional(),
});
export type Member = z.infer<typeof memberSchema>;

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Senders and addresses of the program. */
const RESERVED = new Set(["main", "lead", "host", "user", "supervisor", "cron", "all", "team"]);

/** Two names that differ by case only are one: their transcripts would be one file on many disks. */
export const nameKey = (name: string): string => name.toLowerCase();

/** @throws ClowderError ERR_TEAM_NAME */
export function checkMemberName(name: string): void {
	if (!NAME.test(name)) {
		throw new ClowderError("ERR_TEAM_NAME", `'${name.slice(0, 80)}' cannot be a teammate's name`, {
			remedy: "Use 1 to 64 letters, digits, _ or -",
		});
	}
	if (RESERVED.has(nameKey(name))) {
		throw new ClowderError("ERR_TEAM_NAME", `'${name}' is a name of the program`, { remedy: "Choose another name" });
	}
}
