// One task to one member: the claim on the board, then the message. Either both or neither stay.

import { type ErrorCode, isClowderError } from "../../errors.ts";
import type { Task } from "../../tasks/task.ts";
import type { TaskBoardHand } from "../../tasks/task-board.ts";
import type { Assignment, ClaimTracker } from "./claim-tracker.ts";
import type { ClaimingTeam, IdleMember } from "./claiming-team.ts";
import { createTaskMessage } from "./task-message.ts";

export type HandOut =
	| { readonly kind: "handed-out"; readonly assignment: Omit<Assignment, "reminded"> }
	/** Somebody else was faster, or the task waits again: try the next task. */
	| { readonly kind: "not-available" }
	/** The member has a task of its own by now: try the next member. */
	| { readonly kind: "busy" }
	/** The member's mailbox refused the message; the claim is given back. */
	| { readonly kind: "not-taken"; readonly failures: readonly unknown[] }
	/** The board takes no claims any more. */
	| { readonly kind: "closed" };

interface HandOutParts {
	readonly board: Pick<TaskBoardHand, "claim" | "giveBack">;
	readonly team: Pick<ClaimingTeam, "assign">;
	readonly tracker: ClaimTracker;
}

const REFUSED_CLAIMS: Partial<Record<ErrorCode, HandOut>> = {
	ERR_UNKNOWN_TASK: { kind: "not-available" },
	ERR_TASK_CLAIMED: { kind: "not-available" },
	ERR_TASK_BLOCKED: { kind: "not-available" },
	ERR_TASK_OWNER_BUSY: { kind: "busy" },
	ERR_CLOSED: { kind: "closed" },
};

/** @throws what the board throws beyond its refusals, e.g. because the disk is full; nothing is claimed then. */
export async function handOut(task: Task, member: IdleMember, parts: HandOutParts): Promise<HandOut> {
	const { board, team, tracker } = parts;
	const claim = await board.claim(task.id, member.owner).catch(refusalOf);
	if ("kind" in claim) return claim;
	const { claimVersion } = claim;
	tracker.assign(claim.id, claimVersion, member.owner);
	try {
		await team.assign(member, createTaskMessage(claim));
		return { kind: "handed-out", assignment: { taskId: claim.id, claimVersion, owner: member.owner } };
	} catch (thrown) {
		tracker.release(claim.id);
		const failures = [thrown];
		await board.giveBack(claim.id, { ownerId: member.owner.id, claimVersion }).catch((lost) => {
			// The member may have ended meanwhile, and its task been freed.
			if (!isClowderError(lost) || lost.code !== "ERR_TASK_CLAIM_LOST") failures.push(lost);
		});
		return { kind: "not-taken", failures };
	}
}

function refusalOf(thrown: unknown): HandOut {
	const refusal = isClowderError(thrown) ? REFUSED_CLAIMS[thrown.code] : undefined;
	if (!refusal) throw thrown;
	return refusal;
}
