// Ties the task board to the runs: who an agent is on the board, and that its claims end with it.

import { messageOf } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { TaskOwner } from "../tasks/task.ts";
import { createTaskBoard, type TaskBoard } from "../tasks/task-board.ts";
import { createTaskCalls } from "../tasks/task-calls.ts";
import type { RoomHandler } from "./room-calls.ts";

const MAX_NAME_CHARS = 128;

export interface TaskRoomParts {
	readonly store: Store;
	readonly clock: Clock;
	readonly sessionId: string;
	onWarning(text: string): void;
}

export interface TaskRoom {
	readonly board: TaskBoard;
	readonly call: RoomHandler;
	/** A run has ended: its task is free again. */
	release(run: LiveRun): Promise<void>;
}

export async function createTaskRoom({ store, clock, sessionId, onWarning }: TaskRoomParts): Promise<TaskRoom> {
	const onError = (thrown: unknown) => onWarning(`The task board: ${messageOf(thrown)}`);
	const board = createTaskBoard({ store, clock, sessionId, onError });
	// Claims of this session's former processes: their owners are gone, and the session is open again.
	await board.releaseSession(sessionId);
	board.start();
	const calls = createTaskCalls(board);
	return {
		board,
		call: (run, name, input) => calls(name, input, ownerOf(run, sessionId)),
		release: async (run) => void (await board.releaseOwner(run.spec.id)),
	};
}

function ownerOf({ spec }: LiveRun, sessionId: string): TaskOwner {
	return { id: spec.id, name: spec.name.slice(0, MAX_NAME_CHARS), sessionId };
}
