// The team as the claimer sees it. The team room builds it from its members and their mailboxes.

import type { TaskOwner } from "../../tasks/task.ts";
import type { TaskMessage } from "./task-message.ts";

export interface IdleMember {
	readonly name: string;
	/** `owner.id` is the id of the member's run: another life of the same name is another owner. */
	readonly owner: TaskOwner;
}

/**
 * How far an owner has come with a message.
 *
 * - `unread`: the message is still in its mailbox
 * - `working`: it was read, and the prompt it was read in goes on; also while the member waits for something of its
 *   own (a subagent, a job, an answer to its plan)
 * - `idle`: it was read, and the prompt it was read in has finished
 * - `gone`: the owner's run has ended
 */
export type Progress = "unread" | "working" | "idle" | "gone";

export interface ClaimingTeam {
	/** Members without work, in the order of spawn. */
	idle(): readonly IdleMember[];
	progressOf(ownerId: string, messageId: string): Progress;
	/** Puts a message into the member's mailbox. Resolves when that is durable; rejects when it is refused. */
	assign(member: IdleMember, message: TaskMessage): Promise<void>;
}
