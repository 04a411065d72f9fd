// The task board's tools as an agent has them. They run in the agent's thread and only pass the call on:
// the board is main's (task-calls.ts).

import { createRoomTools } from "../tools/room-tool.ts";
import { type TaskToolName, taskInputSchemas } from "./task-inputs.ts";

/** The room that main answers for these tools. */
export const TASK_ROOM = "tasks";

const DESCRIPTIONS: Readonly<Record<TaskToolName, string>> = {
	create_task:
		"Adds a task to the board that you share with your teammates, also those of other sessions in this project. It waits until somebody claims it; tasks named in blocked_by must be completed first. Answers with its id.",
	list_tasks: "Lists all tasks of the shared board with their status, owner and what they wait for.",
	get_task: "Shows one task of the shared board: description, owner, what it waits for, result.",
	update_task:
		"Changes a task of the shared board: title, description, what it waits for (only while it is PENDING), or the status.",
	claim_task:
		"Makes a ready task yours: exactly one agent gets it. You can have one open task. Complete it with complete_task, or give it back with update_task and the status PENDING.",
	complete_task:
		"Completes the task you have claimed. Tasks that waited for it become ready and are named in the answer.",
};

/** All of them, in the order of TASK_TOOL_NAMES. */
export const taskTools = createRoomTools({
	room: TASK_ROOM,
	inputSchemas: taskInputSchemas,
	descriptions: DESCRIPTIONS,
	readOnly: ["list_tasks", "get_task"],
});
