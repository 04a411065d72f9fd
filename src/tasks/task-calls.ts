// Answers the agents' calls of the task board's tools, on main. Every failure is a text that says what to do.

import { isClowderError } from "../errors.ts";
import { formatInputErrors } from "../tools/input-errors.ts";
import type { Task, TaskOwner, TaskStatus } from "./task.ts";
import type { TaskBoard } from "./task-board.ts";
import { type TaskInput, type TaskToolName, taskInputSchemas } from "./task-inputs.ts";
import { describeTask, formatCompletion, formatTaskList } from "./task-texts.ts";

export interface TaskCallResult {
	readonly content: string;
	readonly isError: boolean;
}

/** Asked before a task comes onto the board or is completed (the hooks TaskCreated and TaskCompleted). */
export interface TaskGate {
	/** @returns why not, or undefined. Without a `caller` it is the person, or the program. */
	mayCreate?(
		task: { readonly id: string; readonly title: string },
		caller?: TaskOwner | undefined,
	): Promise<string | undefined>;
	mayComplete?(task: Task, caller?: TaskOwner | undefined): Promise<string | undefined>;
}

/** @param caller whose port the call came over; never a part of the input. */
export type TaskCalls = (name: string, input: unknown, caller: TaskOwner) => Promise<TaskCallResult>;

export function createTaskCalls(board: TaskBoard, gate: TaskGate = {}): TaskCalls {
	const handlers: { [Name in TaskToolName]: (input: TaskInput<Name>, caller: TaskOwner) => Promise<string[]> } = {
		async create_task({ title, description, blocked_by, id }, caller) {
			const draft = {
				title,
				...(description === undefined ? {} : { description }),
				...(blocked_by === undefined ? {} : { blockedBy: blocked_by }),
				...(id === undefined ? {} : { id }),
			};
			const task = await board.create(draft, approval(gate, caller));
			return [`Task created: ${task.id}`];
		},
		async list_tasks() {
			return formatTaskList(board.list(), board.openBlockers);
		},
		async get_task({ task_id }) {
			const task = board.get(task_id);
			if (!task) throw new Refused(`task not found: ${task_id}`);
			return describeTask(task, board.get);
		},
		async update_task({ task_id, title, description, blocked_by, status }, caller) {
			const change = {
				...(title === undefined ? {} : { title }),
				...(description === undefined ? {} : { description }),
				...(blocked_by === undefined ? {} : { blockedBy: blocked_by }),
			};
			const changes = Object.keys(change).length > 0;
			if (!changes && status === undefined)
				throw new Refused("nothing to change: give title, description, blocked_by or status");
			const updated = changes ? [`Task updated: ${(await board.update(task_id, change)).id}`] : [];
			return status === undefined ? updated : [...updated, ...(await move(task_id, status, caller))];
		},
		async claim_task({ task_id }, caller) {
			return move(task_id, "IN_PROGRESS", caller);
		},
		async complete_task({ task_id, result }, caller) {
			return move(task_id, "COMPLETED", caller, result);
		},
	};

	async function move(id: string, status: TaskStatus, caller: TaskOwner, result?: string): Promise<string[]> {
		if (status === "IN_PROGRESS") {
			const task = await board.claim(id, caller);
			return [`Task claimed: ${task.id}`, "", ...describeTask(task, board.get)];
		}
		const task = board.get(id);
		const proof = { ownerId: caller.id, claimVersion: task?.claimVersion ?? 0 };
		if (status === "PENDING") return [`Task given back: ${(await board.giveBack(id, proof)).id}`];
		if (task?.status === "IN_PROGRESS" && task.owner?.id === caller.id) {
			const objection = await gate.mayComplete?.(task, caller);
			if (objection !== undefined) throw new Refused(`task ${id} cannot be completed yet: ${objection}`);
		}
		const completion = await board.complete(id, proof, result);
		return formatCompletion(completion.task, completion.unblocked);
	}

	return async (name, input, caller) => {
		if (!Object.hasOwn(taskInputSchemas, name)) return failed(`Error: the task board has no call '${name}'`);
		const parsed = taskInputSchemas[name as TaskToolName].safeParse(input);
		if (!parsed.success) return failed(formatInputErrors(parsed.error.issues, input));
		try {
			const handle = handlers[name as TaskToolName] as (input: unknown, caller: TaskOwner) => Promise<string[]>;
			return { content: (await handle(parsed.data, caller)).join("\n"), isError: false };
		} catch (thrown) {
			if (!isClowderError(thrown) && !(thrown instanceof Refused)) throw thrown;
			return failed(`Error: ${thrown.message}`);
		}
	};
}

/** An ordinary no, with its reason. */
class Refused extends Error {}

function approval({ mayCreate }: TaskGate, caller: TaskOwner) {
	if (!mayCreate) return undefined;
	return async (task: { readonly id: string; readonly title: string }) => {
		const objection = await mayCreate(task, caller);
		if (objection !== undefined) throw new Refused(`the task was not created: ${objection}`);
	};
}

const failed = (content: string): TaskCallResult => ({ content, isError: true });
