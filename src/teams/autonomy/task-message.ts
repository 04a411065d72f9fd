// What a member reads when a task is handed to it.

import type { Task } from "../../tasks/task.ts";

export interface TaskMessage {
	/** The same for the same claim: a message that is delivered twice is read once. */
	readonly id: string;
	readonly body: string;
	readonly summary: string;
	readonly taskId: string;
	readonly claimVersion: number;
}

type Claim = Pick<TaskMessage, "taskId" | "claimVersion">;

export const taskMessageId = ({ taskId, claimVersion }: Claim) => `task-${taskId}-v${claimVersion}`;
export const reminderId = (claim: Claim) => `${taskMessageId(claim)}-reminder`;

/** The message that hands a claimed task to its owner. */
export function createTaskMessage(task: Task): TaskMessage {
	const claim = claimOf(task);
	const body = [
		`Autonomous task ${task.id}: ${oneLine(task.title)}`,
		...(task.description ? [task.description] : []),
		...(task.blockedBy.length > 0
			? [`It waited for ${task.blockedBy.join(", ")}: get_task shows what came out of that.`]
			: []),
		...(task.attempt > 1
			? [`This is attempt ${task.attempt}: an earlier owner was lost. Look for work it left behind.`]
			: []),
		`The task is claimed for you. ${howToEnd(task.id)}`,
	].join("\n\n");
	return { ...claim, id: taskMessageId(claim), body, summary: `task ${task.id}` };
}

/** The one message to a member that came to rest with its task still open. */
export function createReminder(task: Task): TaskMessage {
	const claim = claimOf(task);
	const body = [
		`Autonomous task ${task.id} is still open, and still yours: ${oneLine(task.title)}`,
		howToEnd(task.id),
		"If you come to rest again without either, it is given back for you.",
	].join("\n\n");
	return { ...claim, id: reminderId(claim), body, summary: `task ${task.id}` };
}

const claimOf = ({ id, claimVersion }: Task): Claim => ({ taskId: id, claimVersion });

const howToEnd = (id: string) =>
	`When it is done, call complete_task with the task_id "${id}" and the result. If it cannot be done, give it back: ` +
	`call update_task with the task_id "${id}" and the status "PENDING".`;

const oneLine = (text: string) => text.replace(/\s+/g, " ");
