// Which tasks wait for which. Pure: tasks are looked up, never written.

import type { Task } from "./task.ts";

export type FindTask = (id: string) => Task | undefined;

/** Blockers of a task that are not COMPLETED, those that are not on the board included. */
export function openBlockers(task: Pick<Task, "blockedBy">, find: FindTask): string[] {
	return task.blockedBy.filter((id) => find(id)?.status !== "COMPLETED");
}

/** Whether a task can be claimed now. */
export function isReady(task: Task, find: FindTask): boolean {
	return task.status === "PENDING" && openBlockers(task, find).length === 0;
}

/**
 * The cycle that would come about if `id` waited for `blockedBy`: ids from `id` back to `id`, each waiting for
 * the next.
 */
export function findCycle(id: string, blockedBy: readonly string[], find: FindTask): string[] | undefined {
	/** Each visited task, and the one that waits for it. */
	const waiterOf = new Map<string, string>();
	const stack = [...blockedBy].reverse().map((next) => ({ next, waiter: id }));
	for (let step = stack.pop(); step; step = stack.pop()) {
		const { next, waiter } = step;
		if (next === id) return cycleThrough(id, waiter, waiterOf);
		if (waiterOf.has(next)) continue;
		waiterOf.set(next, waiter);
		for (const further of find(next)?.blockedBy ?? []) stack.push({ next: further, waiter: next });
	}
	return undefined;
}

function cycleThrough(id: string, last: string, waiterOf: ReadonlyMap<string, string>): string[] {
	const path = [id];
	for (let at = last; at !== id; at = waiterOf.get(at) ?? id) path.unshift(at);
	return [id, ...path];
}
