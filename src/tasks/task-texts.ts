// Tasks in words, for the model and for people.

import type { Task } from "./task.ts";

/** Wide enough for the two statuses that most lines have. */
const STATUS_WIDTH = "[COMPLETED]".length;

type OpenBlockers = (task: Task) => readonly string[];

/** `Tasks (3):` and a line per task. */
export function formatTaskList(tasks: readonly Task[], openBlockers: OpenBlockers): string[] {
	if (tasks.length === 0) return ["No tasks."];
	return [`Tasks (${tasks.length}):`, ...tasks.map((task) => formatTaskLine(task, openBlockers))];
}

function formatTaskLine(task: Task, openBlockers: OpenBlockers): string {
	const line = `  ${task.id}  ${`[${task.status}]`.padEnd(STATUS_WIDTH)} ${oneLine(task.title)}`;
	if (task.status === "IN_PROGRESS") return `${line}  (${task.owner?.name ?? "?"})`;
	const waitsFor = task.status === "PENDING" ? openBlockers(task) : [];
	return waitsFor.length === 0 ? line : `${line}  BLOCKED by ${waitsFor.join(", ")}`;
}

/** Everything about one task. */
export function describeTask(task: Task, find: (id: string) => Task | undefined): string[] {
	const blockers = task.blockedBy.map((id) => `${id} [${find(id)?.status ?? "not on the board"}]`);
	return [
		`${task.id}  [${task.status}] ${oneLine(task.title)}`,
		...(task.owner ? [`Owner: ${task.owner.name}`] : []),
		...(task.attempt > 1 ? [`Attempt: ${task.attempt} (an earlier owner was lost: look for work it left behind)`] : []),
		...(blockers.length > 0 ? [`Waits for: ${blockers.join(", ")}`] : []),
		...(task.description ? ["Description:", task.description] : []),
		...(task.result === undefined ? [] : ["Result:", task.result]),
	];
}

/** `Task completed: t1`, and what can be claimed now. */
export function formatCompletion(task: Task, unblocked: readonly Task[]): string[] {
	const names = unblocked.map((one) => one.id).join(", ");
	return [`Task completed: ${task.id}`, ...(names === "" ? [] : [`Unblocked: ${names}`])];
}

const oneLine = (text: string) => text.replace(/\s+/g, " ");
