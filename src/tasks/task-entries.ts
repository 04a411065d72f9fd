// Tasks come onto the board, change and go. Every function here runs inside one store transaction, so that
// what it checks still holds when it writes; also against other processes.

import { ClowderError } from "../errors.ts";
import { checkTaskId, type Task, type TaskChange, type TaskDraft } from "./task.ts";
import { findCycle } from "./task-graph.ts";
import { countUp, type TaskTables } from "./task-tables.ts";

/** @throws ClowderError ERR_UNKNOWN_TASK */
export function mustFindTask(tables: TaskTables, id: string): Task {
	const task = tables.tasks.get(id);
	if (task) return task;
	throw new ClowderError("ERR_UNKNOWN_TASK", `task not found: ${id}`, { details: { id } });
}

/** Takes an id for good: the given one, or the next free `t<number>`. @throws ERR_TASK_ID */
export function reserveId(tables: TaskTables, given: string | undefined): string {
	if (given === undefined) {
		let number = (tables.counters.get("last-number") ?? 0) + 1;
		while (tables.usedIds.get(`t${number}`)) number += 1;
		tables.counters.set("last-number", number);
		tables.usedIds.set(`t${number}`, true);
		return `t${number}`;
	}
	checkTaskId(given);
	if (tables.usedIds.get(given)) {
		throw new ClowderError("ERR_TASK_ID", `task id '${given}' is taken`, {
			remedy: "Ids are never used again: leave it out to get the next free one",
			details: { id: given },
		});
	}
	tables.usedIds.set(given, true);
	return given;
}

/** @throws ERR_TASK_ID, ERR_TASK_CYCLE */
export function insertTask(tables: TaskTables, id: string, draft: TaskDraft, now: number): Task {
	const blockedBy = checkBlockers(tables, id, draft.blockedBy ?? []);
	const task: Task = {
		id,
		title: draft.title,
		...(draft.description === undefined ? {} : { description: draft.description }),
		status: "PENDING",
		blockedBy,
		attempt: 1,
		claimVersion: 0,
		order: countUp(tables, "last-order"),
		createdAt: now,
		updatedAt: now,
	};
	tables.tasks.set(id, task);
	for (const blocker of blockedBy) tables.dependents.set([blocker, id], true);
	return task;
}

/** @throws ERR_UNKNOWN_TASK, ERR_TASK_CYCLE; ERR_TASK_CLAIMED for new blockers of a task that is not PENDING. */
export function changeTask(tables: TaskTables, id: string, change: TaskChange, now: number): Task {
	const before = mustFindTask(tables, id);
	const { blockedBy: wanted, ...rest } = change;
	const blockedBy = wanted === undefined ? before.blockedBy : checkBlockers(tables, id, wanted);
	if (wanted !== undefined && before.status !== "PENDING") {
		throw new ClowderError("ERR_TASK_CLAIMED", `task ${id} is ${before.status}: what it waits for cannot be changed`, {
			details: { id, status: before.status },
		});
	}
	const task: Task = { ...before, ...definedIn(rest), blockedBy, updatedAt: now };
	tables.tasks.set(id, task);
	for (const blocker of before.blockedBy) tables.dependents.remove([blocker, id]);
	for (const blocker of blockedBy) tables.dependents.set([blocker, id], true);
	return task;
}

/**
 * Takes a task off the board. Tasks that waited for a completed one go on; those that waited for one that was
 * not stay blocked.
 *
 * @returns the task, and the ids that stay blocked.
 * @throws ERR_UNKNOWN_TASK
 */
export function deleteTask(tables: TaskTables, id: string, now: number): { task: Task; stillBlocked: string[] } {
	const task = mustFindTask(tables, id);
	const waiting = dependentsOf(tables, id);
	tables.tasks.remove(id);
	for (const blocker of task.blockedBy) tables.dependents.remove([blocker, id]);
	if (task.owner && tables.claims.get(task.owner.id)?.taskId === id) tables.claims.remove(task.owner.id);
	if (task.status !== "COMPLETED") return { task, stillBlocked: waiting.map((dependent) => dependent.id) };
	for (const dependent of waiting) {
		const blockedBy = dependent.blockedBy.filter((blocker) => blocker !== id);
		tables.tasks.set(dependent.id, { ...dependent, blockedBy, updatedAt: now });
		tables.dependents.remove([id, dependent.id]);
	}
	return { task, stillBlocked: [] };
}

/** Tasks that wait for this one. */
export function dependentsOf(tables: TaskTables, id: string): Task[] {
	return tables.dependents.keys({ prefix: [id] }).flatMap((key) => tables.tasks.get(String(key[1])) ?? []);
}

function checkBlockers(tables: TaskTables, id: string, wanted: readonly string[]): string[] {
	const blockedBy = [...new Set(wanted)];
	blockedBy.forEach(checkTaskId);
	const cycle = findCycle(id, blockedBy, (other) => tables.tasks.get(other));
	if (!cycle) return blockedBy;
	throw new ClowderError("ERR_TASK_CYCLE", `task ${id} would wait for itself: ${cycle.join(" → ")}`, {
		remedy: "Leave one of these blockers out",
		details: { id, cycle },
	});
}

/** Without the fields that are there and undefined. */
function definedIn<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
