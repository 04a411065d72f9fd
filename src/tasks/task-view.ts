// The board as a list, read anew only when something has changed: agents that wait for work ask often.

import type { Task } from "./task.ts";
import { isReady } from "./task-graph.ts";
import { readVersion, type TaskTables } from "./task-tables.ts";

export interface TaskView {
	/** In the order of creation. */
	list(): Task[];
	/** Tasks that can be claimed now, in the order of creation. */
	ready(): Task[];
}

interface Snapshot {
	readonly version: number;
	readonly tasks: readonly Task[];
	readonly ready: readonly Task[];
}

export function createTaskView(tables: TaskTables): TaskView {
	let last: Snapshot | undefined;

	// Invariant: every change of a task raises the version, in the same transaction.
	function current(): Snapshot {
		const version = readVersion(tables);
		if (last?.version === version) return last;
		const tasks = tables.tasks.entries().map((entry) => Object.freeze(entry.value));
		tasks.sort((a, b) => a.order - b.order);
		const byId = new Map(tasks.map((task) => [task.id, task]));
		const ready = tasks.filter((task) => isReady(task, (id) => byId.get(id)));
		last = { version, tasks, ready };
		return last;
	}

	return { list: () => [...current().tasks], ready: () => [...current().ready] };
}
