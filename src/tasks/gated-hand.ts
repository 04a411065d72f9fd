// A person's hand on the board, after the same gate as the agents'.

import { ClowderError } from "../errors.ts";
import type { TaskBoard, TaskBoardHand } from "./task-board.ts";
import type { TaskGate } from "./task-calls.ts";

/** `create` and `completeByHand` ask the gate first. @throws ERR_HOOK_BLOCKED */
export function createGatedHand(board: TaskBoard, gate: TaskGate): TaskBoardHand {
	const refuse = (what: string, why: string) => new ClowderError("ERR_HOOK_BLOCKED", `${what}: ${why}`);
	return {
		...board,
		create: (draft, approve) =>
			board.create(draft, async (task) => {
				await approve?.(task);
				const objection = await gate.mayCreate?.(task);
				if (objection !== undefined) throw refuse("the task was not created", objection);
			}),
		completeByHand: async (id, result) => {
			const task = board.get(id);
			const objection = task && (await gate.mayComplete?.(task));
			if (objection !== undefined) throw refuse(`task ${id} cannot be completed yet`, objection);
			return board.completeByHand(id, result);
		},
	};
}
