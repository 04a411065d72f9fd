// Who works on which task. A claim is a lease: it belongs to one owner's one life, has a version, and ends by
// completion, by being given back, or by the owner's death. Every function runs inside one store transaction.

import { ClowderError } from "../errors.ts";
import type { Task, TaskOwner } from "./task.ts";
import { dependentsOf, mustFindTask } from "./task-entries.ts";
import { isReady, openBlockers } from "./task-graph.ts";
import type { Claim, TaskTables } from "./task-tables.ts";

/** What an owner shows to prove that the task is still its own. */
export interface ClaimProof {
	readonly ownerId: string;
	readonly claimVersion: number;
}

/** @throws ERR_UNKNOWN_TASK, ERR_TASK_CLAIMED, ERR_TASK_BLOCKED, ERR_TASK_OWNER_BUSY */
export function claimTask(tables: TaskTables, id: string, owner: TaskOwner, now: number, leaseUntil: number): Task {
	const before = mustFindTask(tables, id);
	if (before.status !== "PENDING") throw alreadyTaken(before);
	const waitsFor = openBlockers(before, (other) => tables.tasks.get(other));
	if (waitsFor.length > 0) throw blocked(id, waitsFor);
	const other = tables.claims.get(owner.id);
	if (other) {
		throw new ClowderError("ERR_TASK_OWNER_BUSY", `${owner.name} has the open task ${other.taskId}`, {
			remedy: "Complete it or give it back first",
			details: { id, openTask: other.taskId },
		});
	}
	const claimVersion = before.claimVersion + 1;
	const task: Task = { ...before, status: "IN_PROGRESS", owner, claimVersion, updatedAt: now };
	tables.tasks.set(id, task);
	tables.claims.set(owner.id, { taskId: id, owner, claimVersion, leaseUntil });
	return task;
}

/** @throws ERR_UNKNOWN_TASK, ERR_TASK_CLAIM_LOST */
export function completeTask(
	tables: TaskTables,
	id: string,
	{ proof, result, now }: { readonly proof: ClaimProof; readonly result: string | undefined; readonly now: number },
): { task: Task; unblocked: Task[] } {
	return finish(tables, mustHold(tables, id, proof), result, now);
}

/**
 * Completes a task without a claim, because a person says so. A claim in force is void from then on.
 *
 * @throws ERR_UNKNOWN_TASK, ERR_TASK_BLOCKED, ERR_TASK_CLAIMED when it is completed already.
 */
export function completeByHand(
	tables: TaskTables,
	id: string,
	result: string | undefined,
	now: number,
): { task: Task; unblocked: Task[] } {
	const before = mustFindTask(tables, id);
	if (before.status === "COMPLETED") throw alreadyTaken(before);
	const waitsFor = openBlockers(before, (other) => tables.tasks.get(other));
	if (waitsFor.length > 0) throw blocked(id, waitsFor);
	const { owner, ...rest } = before;
	if (owner) tables.claims.remove(owner.id);
	return finish(tables, { ...rest, claimVersion: before.claimVersion + 1 }, result, now);
}

/** The owner gives a task back; the attempt does not count. @throws ERR_UNKNOWN_TASK, ERR_TASK_CLAIM_LOST */
export function giveBackTask(tables: TaskTables, id: string, proof: ClaimProof, now: number): Task {
	return returnToPending(tables, mustHold(tables, id, proof), 0, now);
}

/** The owner is gone: its task waits again, with one attempt more. Nothing happens for a claim that has changed. */
export function releaseClaim(tables: TaskTables, claim: Claim, now: number): Task | undefined {
	const current = tables.claims.get(claim.owner.id);
	if (current?.taskId !== claim.taskId || current.claimVersion !== claim.claimVersion) return undefined;
	const task = tables.tasks.get(claim.taskId);
	if (task?.status === "IN_PROGRESS" && task.claimVersion === claim.claimVersion) {
		return returnToPending(tables, task, 1, now);
	}
	tables.claims.remove(claim.owner.id);
	return undefined;
}

function mustHold(tables: TaskTables, id: string, proof: ClaimProof): Task {
	const task = mustFindTask(tables, id);
	if (task.status === "IN_PROGRESS" && task.owner?.id === proof.ownerId && task.claimVersion === proof.claimVersion) {
		return task;
	}
	const state = task.owner ? `${task.status}, owner ${task.owner.name}` : task.status;
	throw new ClowderError("ERR_TASK_CLAIM_LOST", `task ${id} is not claimed by you (${state})`, {
		remedy: task.status === "PENDING" ? "Claim it first" : "Leave it, and look at list_tasks for another",
		details: { id, status: task.status, claimVersion: task.claimVersion, given: proof.claimVersion },
	});
}

function finish(tables: TaskTables, before: Task, result: string | undefined, now: number) {
	const task: Task = { ...before, status: "COMPLETED", updatedAt: now, ...(result === undefined ? {} : { result }) };
	tables.tasks.set(task.id, task);
	if (task.owner) tables.claims.remove(task.owner.id);
	const find = (id: string) => (id === task.id ? task : tables.tasks.get(id));
	const unblocked = dependentsOf(tables, task.id).filter((dependent) => isReady(dependent, find));
	return { task, unblocked: unblocked.sort((a, b) => a.order - b.order) };
}

function returnToPending(tables: TaskTables, before: Task, lostAttempts: number, now: number): Task {
	const { owner, ...rest } = before;
	const task: Task = { ...rest, status: "PENDING", attempt: before.attempt + lostAttempts, updatedAt: now };
	tables.tasks.set(task.id, task);
	if (owner) tables.claims.remove(owner.id);
	return task;
}

function alreadyTaken(task: Task): ClowderError {
	const text =
		task.status === "COMPLETED"
			? `task ${task.id} is completed already`
			: `task ${task.id} is claimed by ${task.owner?.name ?? "another"}`;
	return new ClowderError("ERR_TASK_CLAIMED", text, {
		remedy: "Look at list_tasks for another",
		details: { id: task.id, status: task.status },
	});
}

function blocked(id: string, waitsFor: readonly string[]): ClowderError {
	return new ClowderError("ERR_TASK_BLOCKED", `task ${id} is BLOCKED by ${waitsFor.join(", ")}`, {
		details: { id, blockedBy: waitsFor },
	});
}
