// The board's tables in the store. One file knows their names, keys and schemas.

import * as z from "zod";
import type { Store } from "../store/store.ts";
import type { Table } from "../store/table.ts";
import { type Task, taskOwnerSchema, taskSchema } from "./task.ts";

/** A claim in force. The lease is kept here, so that renewing it does not rewrite the task. */
export const claimSchema = z.object({
	taskId: z.string(),
	owner: taskOwnerSchema,
	claimVersion: z.number().int(),
	/** Milliseconds since the Unix epoch. */
	leaseUntil: z.number(),
});
export type Claim = z.infer<typeof claimSchema>;

export interface TaskTables {
	/** By id. */
	readonly tasks: Table<Task>;
	/** Every id that was ever given: none is given twice. */
	readonly usedIds: Table<true>;
	/** Keys (blocker id, id of the task that waits for it). */
	readonly dependents: Table<true>;
	/** By owner id: an owner has one open task. */
	readonly claims: Table<Claim>;
	/** `last-order`, `last-number`, `version`. */
	readonly counters: Table<number>;
}

export function openTaskTables(store: Store): TaskTables {
	return {
		tasks: store.table("tasks", taskSchema),
		usedIds: store.table("task-ids", z.literal(true)),
		dependents: store.table("task-dependents", z.literal(true)),
		claims: store.table("task-claims", claimSchema),
		counters: store.table("task-counters", z.number()),
	};
}

export type CounterName = "last-order" | "last-number" | "version";

/** Raises a counter by 1, inside a transaction; answers its new value. */
export function countUp({ counters }: TaskTables, name: CounterName): number {
	const next = (counters.get(name) ?? 0) + 1;
	counters.set(name, next);
	return next;
}

/** Raised by every change of the board, by whatever process. */
export function readVersion({ counters }: TaskTables): number {
	return counters.get("version") ?? 0;
}
