// Who may be offered a task, and in which order. What keeps two rounds from doing the same in vain for ever:
// a task goes to one member's life once, and a member whose mailbox took nothing is left alone for a while.

import type { Clock } from "../../lib/clock.ts";
import type { Task } from "../../tasks/task.ts";
import type { IdleMember } from "./claiming-team.ts";

interface Declined {
	/** As the task was when it came back: changed text is a new offer. */
	readonly text: string;
	readonly ownerIds: Set<string>;
}

/** More members than a process has threads for: beyond it the oldest turns are forgotten. */
const MAX_TURNS = 1_000;

export class Candidates {
	readonly #clock: Clock;
	readonly #backOffMs: number;
	readonly #declined = new Map<string, Declined>();
	/** Until when, on the monotonic clock, by owner. */
	readonly #refusedUntil = new Map<string, number>();
	/** Owners that were handed a task, the latest last. */
	readonly #turns = new Set<string>();

	constructor(clock: Clock, backOffMs: number) {
		this.#clock = clock;
		this.#backOffMs = backOffMs;
	}

	/** Those that can be asked now: first who never had a task, in the given order, then who had one longest ago. */
	inTurn(members: readonly IdleMember[]): IdleMember[] {
		const now = this.#clock.monotonicMs();
		for (const [ownerId, untilMs] of this.#refusedUntil) if (untilMs <= now) this.#refusedUntil.delete(ownerId);
		const turnOf = new Map([...this.#turns].map((ownerId, index) => [ownerId, index + 1]));
		return members
			.filter(({ owner }) => !this.#refusedUntil.has(owner.id))
			.sort((a, b) => (turnOf.get(a.owner.id) ?? 0) - (turnOf.get(b.owner.id) ?? 0));
	}

	mayHave(task: Task, { owner }: IdleMember): boolean {
		const declined = this.#declined.get(task.id);
		return !declined?.ownerIds.has(owner.id) || declined.text !== textOf(task);
	}

	/** A member has got a task. */
	noteTurn({ owner }: IdleMember): void {
		this.#turns.delete(owner.id);
		this.#turns.add(owner.id);
		for (const oldest of this.#turns) {
			if (this.#turns.size <= MAX_TURNS) return;
			this.#turns.delete(oldest);
		}
	}

	/** A member's mailbox did not take a task. */
	noteRefusal({ owner }: IdleMember): void {
		this.#refusedUntil.set(owner.id, this.#clock.monotonicMs() + this.#backOffMs);
	}

	/** A task has come back from its owner. */
	noteReturn(task: Task, ownerId: string): void {
		const text = textOf(task);
		const before = this.#declined.get(task.id);
		const ownerIds = before?.text === text ? before.ownerIds : new Set<string>();
		this.#declined.set(task.id, { text, ownerIds: ownerIds.add(ownerId) });
	}

	/** Drops what is remembered of tasks that nobody can get any more. */
	forgetTasksExcept(isOpen: (taskId: string) => boolean): void {
		for (const taskId of this.#declined.keys()) if (!isOpen(taskId)) this.#declined.delete(taskId);
	}

	/** Everybody may be offered everything again. */
	forgetReturns(): void {
		this.#declined.clear();
		this.#refusedUntil.clear();
	}
}

const textOf = ({ title, description }: Task) => JSON.stringify([title, description]);
