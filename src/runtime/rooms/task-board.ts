// Ties the task board to the runs: who an agent is on the board, and that its claims end with it.

import { messageOf } from "../../errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Store } from "../../store/store.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import { createGatedHand } from "../../tasks/gated-hand.ts";
import type { TaskOwner } from "../../tasks/task.ts";
import { createTaskBoard, type TaskBoard, type TaskBoardHand } from "../../tasks/task-board.ts";
import { createTaskCalls, type TaskGate } from "../../tasks/task-calls.ts";
import type { RoomHandler } from "./room-calls.ts";

const MAX_NAME_CHARS = 128;

export interface TaskRoomParts {
	readonly store: Store;
	readonly clock: Clock;
	readonly sessionId: string;
	/** What stands before the board; asked for when something happens. */
	gate(): TaskGate;
	onWarning(text: string): void;
}

export interface TaskRoom {
	readonly board: TaskBoard;
	/** The person's and the program's hand on it. */
	readonly hand: TaskBoardHand;
	readonly call: RoomHandler;
	/** A run has ended: its task is free again. */
	release(run: LiveRun): Promise<void>;
}

export async function createTaskRoom({ store, clock, sessionId, gate, onWarning }: TaskRoomParts): Promise<TaskRoom> {
	const onError = (thrown: unknown) => onWarning(`The task board: ${messageOf(thrown)}`);
	const board = createTaskBoard({ store, clock, sessionId, onError });
	// Claims of this session's former processes: their owners are gone, and the session is open again.
	await board.releaseSession(sessionId);
	board.start();
	const late: TaskGate = {
		mayCreate: async (task, caller) => gate().mayCreate?.(task, caller),
		mayComplete: async (task, caller) => gate().mayComplete?.(task, caller),
	};
	const calls = createTaskCalls(board, late);
	return {
		board,
		hand: createGatedHand(board, late),
		call: (run, name, input) => calls(name, input, ownerOf(run, sessionId)),
		release: async (run) => void (await board.releaseOwner(run.spec.id)),
	};
}

function ownerOf({ spec }: LiveRun, sessionId: string): TaskOwner {
	return { id: spec.id, name: spec.name.slice(0, MAX_NAME_CHARS), sessionId };
}
