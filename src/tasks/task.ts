// One task of the board, as it is stored and as other rooms see it.

import * as z from "zod";
import { ClowderError } from "../errors.ts";

export const TASK_STATUSES = ["PENDING", "IN_PROGRESS", "COMPLETED"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const taskOwnerSchema = z.object({
	/** Unique over processes and over lives: a run's id, not a name that a successor could have. */
	id: z.string().min(1).max(200),
	/** What people and agents call it. */
	name: z.string().min(1).max(128),
	/** The session whose process answers for the owner. */
	sessionId: z.string().min(1).max(200),
});
export type TaskOwner = z.infer<typeof taskOwnerSchema>;

export const taskSchema = z.object({
	id: z.string(),
	title: z.string(),
	description: z.string().optional(),
	status: z.enum(TASK_STATUSES),
	/** Who works on it, or completed it. */
	owner: taskOwnerSchema.optional(),
	/** Ids of tasks that must be COMPLETED first. One that is not on the board blocks too. */
	blockedBy: z.array(z.string()),
	/** 1 at first; grows by 1 when an owner is lost. */
	attempt: z.number().int(),
	/** Grows with each claim: who completes must name the version it claimed. 0 before the first. */
	claimVersion: z.number().int(),
	/** Place in the order of creation. */
	order: z.number().int(),
	/** Milliseconds since the Unix epoch, as is the next. */
	createdAt: z.number(),
	updatedAt: z.number(),
	result: z.string().optional(),
});
export type Task = z.infer<typeof taskSchema>;

export const taskDraftSchema = z.object({
	id: z.string().optional(),
	title: z.string().trim().min(1).max(500),
	description: z.string().max(100_000).optional(),
	blockedBy: z.array(z.string()).max(100).optional(),
});
export type TaskDraft = z.infer<typeof taskDraftSchema>;

export const taskChangeSchema = taskDraftSchema.omit({ id: true }).partial();
export type TaskChange = z.infer<typeof taskChangeSchema>;

/** Most characters of a task's result; longer ones belong in a file. */
export const MAX_RESULT_CHARS = 100_000;

const TASK_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** @throws ClowderError ERR_TASK_ID */
export function checkTaskId(id: string): void {
	if (TASK_ID.test(id)) return;
	throw new ClowderError("ERR_TASK_ID", `'${id.slice(0, 80)}' is not a valid task id`, {
		remedy: "Use 1 to 64 letters, digits, _ or -, beginning with a letter or digit",
		details: { id: id.slice(0, 80) },
	});
}

/** @throws ClowderError ERR_BAD_INPUT that names the first field that cannot be used. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): T {
	const parsed = schema.safeParse(input);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw new ClowderError("ERR_BAD_INPUT", `${issue?.path.join(".") || "input"}: ${issue?.message ?? "is not valid"}`);
}
