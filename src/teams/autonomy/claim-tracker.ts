// Which tasks this process handed to which members, until it has seen what became of them. The board is the truth
// on claims; this only remembers whom to look after.

import type { TaskOwner } from "../../tasks/task.ts";

export interface Assignment {
	readonly taskId: string;
	readonly claimVersion: number;
	readonly owner: TaskOwner;
	/** The owner came to rest with the task still open, and was told so. */
	readonly reminded: boolean;
}

export class ClaimTracker {
	readonly #assignments = new Map<string, Assignment>();

	/** An earlier assignment of the task is replaced. */
	assign(taskId: string, claimVersion: number, owner: TaskOwner): void {
		this.#assignments.delete(taskId);
		this.#assignments.set(taskId, { taskId, claimVersion, owner, reminded: false });
	}

	markReminded(taskId: string): void {
		const assignment = this.#assignments.get(taskId);
		if (assignment) this.#assignments.set(taskId, { ...assignment, reminded: true });
	}

	/** Harmless for tasks that are not assigned. */
	release(taskId: string): void {
		this.#assignments.delete(taskId);
	}

	/** The name of the member that has the task. */
	teammateFor(taskId: string): string | undefined {
		return this.#assignments.get(taskId)?.owner.name;
	}

	/** Whether an owner, by its id, has a task already: nobody gets two. */
	hasPendingAssignment(ownerId: string): boolean {
		for (const { owner } of this.#assignments.values()) if (owner.id === ownerId) return true;
		return false;
	}

	/** In the order of assignment; later changes do not show in it. */
	snapshot(): readonly Assignment[] {
		return [...this.#assignments.values()];
	}
}
