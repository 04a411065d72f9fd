import type { TaskOwner } from "../../src/tasks/task.ts";
import { createTaskBoard, type TaskBoardOptions } from "../../src/tasks/task-board.ts";
import { openTestStore } from "../store/open-store.ts";

/** A board on a store of its own, with a clock that a test moves. */
export async function setUpBoard(options: Partial<TaskBoardOptions> = {}, stateDir?: string) {
	const opened = await openTestStore(stateDir);
	const { store, clock } = opened;
	const errors: unknown[] = [];
	const board = createTaskBoard({
		store,
		clock,
		sessionId: "session_1",
		leaseMs: 1_000,
		isSessionAlive: async () => undefined,
		onError: (thrown) => errors.push(thrown),
		...options,
	});
	return { ...opened, board, errors };
}

export function owner(name: string, over: Partial<TaskOwner> = {}): TaskOwner {
	return { id: `run_${name}`, name, sessionId: "session_1", ...over };
}

export const proof = (name: string, claimVersion = 1) => ({ ownerId: `run_${name}`, claimVersion });
