// One round of self-organisation: first what became of the tasks handed out, then ready tasks to idle members.
// Main thread. What happened is what the board says, under the claim version that was given out; a member that
// comes to rest has completed nothing by that.

import { isClowderError } from "../../errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Task } from "../../tasks/task.ts";
import type { TaskBoardHand } from "../../tasks/task-board.ts";
import type { AutonomousConfig } from "./autonomous-config.ts";
import { Candidates } from "./candidates.ts";
import type { Assignment, ClaimTracker } from "./claim-tracker.ts";
import type { ClaimingTeam, IdleMember } from "./claiming-team.ts";
import { type HandOut, handOut } from "./hand-out.ts";
import { createReminder, reminderId, taskMessageId } from "./task-message.ts";

export interface ClaimEntry {
	readonly taskId: string;
	readonly teammate: string;
	readonly claimVersion: number;
}

export interface ClaimResult {
	readonly completed: readonly ClaimEntry[];
	/** Open again: given back by the member or for it, or freed after its end. */
	readonly returned: readonly ClaimEntry[];
	readonly claimed: readonly ClaimEntry[];
	/** What went wrong on the way, as thrown; the rest of the round was done all the same. */
	readonly failures: readonly unknown[];
}

type Draft = { readonly [Part in keyof ClaimResult]: ClaimResult[Part][number][] };

export interface AutoClaimerOptions {
	readonly board: Pick<TaskBoardHand, "get" | "ready" | "claim" | "claimOf" | "giveBack">;
	readonly team: ClaimingTeam;
	readonly tracker: ClaimTracker;
	readonly config: AutonomousConfig;
	readonly clock: Clock;
}

export interface TickOptions {
	/** Whether ready tasks are handed out; a function is asked before each one. */
	readonly claim: boolean | (() => boolean);
}

export class AutoClaimer {
	readonly #options: AutoClaimerOptions;
	readonly #candidates: Candidates;
	#last: Promise<unknown> = Promise.resolve();

	constructor(options: AutoClaimerOptions) {
		this.#options = options;
		this.#candidates = new Candidates(options.clock, options.config.tickIntervalMs);
	}

	/** Does one round, after one that is under way. Never rejects. */
	tick({ claim }: TickOptions): Promise<ClaimResult> {
		const mayClaim = typeof claim === "boolean" ? () => claim : claim;
		const round = this.#last.then(() => this.#round(mayClaim));
		this.#last = round;
		return round;
	}

	/** What is handed out, in the order of the claims. */
	claims(): readonly Assignment[] {
		return this.#options.tracker.snapshot();
	}

	/** Offers tasks that came back also to those they came back from. */
	offerAnew(): void {
		this.#candidates.forgetReturns();
	}

	async #round(mayClaim: () => boolean): Promise<ClaimResult> {
		const result: Draft = { completed: [], returned: [], claimed: [], failures: [] };
		const noteFailure = (thrown: unknown) => void result.failures.push(thrown);
		// Order: what was completed frees tasks and members for the claims of the same round.
		for (const assignment of this.claims()) await this.#follow(assignment, result).catch(noteFailure);
		await this.#claimReady(mayClaim, result).catch(noteFailure);
		return result;
	}

	async #follow(assignment: Assignment, result: Draft): Promise<void> {
		const { board, tracker } = this.#options;
		const { taskId, claimVersion, owner } = assignment;
		const task = board.get(taskId);
		const isOurs = task?.claimVersion === claimVersion && task.owner?.id === owner.id;
		if (isOurs && task.status === "IN_PROGRESS") return this.#lookAfter(task, assignment, result);
		tracker.release(taskId);
		if (isOurs && task.status === "COMPLETED") result.completed.push(entryOf(assignment));
		if (task?.status === "PENDING") this.#noteReturn(task, assignment, result);
	}

	/** The claim is in force: its owner must get on with it. One that is gone is freed by who saw it end. */
	async #lookAfter(task: Task, assignment: Assignment, result: Draft): Promise<void> {
		const { reminded, owner } = assignment;
		const messageId = reminded ? reminderId(assignment) : taskMessageId(assignment);
		if (this.#options.team.progressOf(owner.id, messageId) !== "idle") return;
		if (!reminded && (await this.#remind(task, assignment, result))) return;
		await this.#takeBack(assignment, result);
	}

	async #remind(task: Task, { taskId, owner }: Assignment, result: Draft): Promise<boolean> {
		const { team, tracker } = this.#options;
		const reminder = createReminder(task);
		try {
			await team.assign({ name: owner.name, owner }, reminder);
			tracker.markReminded(taskId);
			return true;
		} catch (thrown) {
			result.failures.push(thrown);
			return team.progressOf(owner.id, reminder.id) === "gone";
		}
	}

	async #takeBack(assignment: Assignment, result: Draft): Promise<void> {
		const { board, tracker } = this.#options;
		const { taskId, claimVersion, owner } = assignment;
		try {
			const task = await board.giveBack(taskId, { ownerId: owner.id, claimVersion });
			tracker.release(taskId);
			this.#noteReturn(task, assignment, result);
		} catch (thrown) {
			// Race: it was completed or lost at this very moment. The board tells of that, and the next round sees it.
			if (!isClowderError(thrown) || thrown.code !== "ERR_TASK_CLAIM_LOST") throw thrown;
		}
	}

	#noteReturn(task: Task, assignment: Assignment, result: Draft): void {
		this.#candidates.noteReturn(task, assignment.owner.id);
		result.returned.push(entryOf(assignment));
	}

	async #claimReady(mayClaim: () => boolean, result: Draft): Promise<void> {
		if (!mayClaim()) return;
		const { board, team, config } = this.#options;
		this.#candidates.forgetTasksExcept((id) => (board.get(id)?.status ?? "COMPLETED") !== "COMPLETED");
		const members = new Set(this.#candidates.inTurn(team.idle().filter((member) => this.#isFree(member))));
		// Order: without anybody to have it, the board need not be read.
		if (members.size === 0) return;
		for (const task of board.ready()) {
			for (const member of members) {
				if (result.claimed.length >= config.maxTasksPerTick || !mayClaim()) return;
				if (!this.#candidates.mayHave(task, member)) continue;
				const outcome = await handOut(task, member, this.#options);
				this.#noteHandOut(member, outcome, result);
				if (outcome.kind === "closed") return;
				if (outcome.kind !== "not-available") members.delete(member);
				if (outcome.kind === "handed-out" || outcome.kind === "not-available") break;
			}
			if (members.size === 0) return;
		}
	}

	/** A member may also have claimed a task by itself, or before this process was started again. */
	#isFree({ owner }: IdleMember): boolean {
		return !this.#options.tracker.hasPendingAssignment(owner.id) && !this.#options.board.claimOf(owner.id);
	}

	#noteHandOut(member: IdleMember, outcome: HandOut, result: Draft): void {
		if (outcome.kind === "handed-out") {
			this.#candidates.noteTurn(member);
			result.claimed.push(entryOf(outcome.assignment));
		}
		if (outcome.kind === "not-taken") {
			this.#candidates.noteRefusal(member);
			result.failures.push(...outcome.failures);
		}
	}
}

const entryOf = ({ taskId, owner, claimVersion }: Pick<Assignment, "taskId" | "owner" | "claimVersion">) => ({
	taskId,
	teammate: owner.name,
	claimVersion,
});
