// What must be true of the state folder, and of the machine, between two processes.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createJobStore } from "../../src/background/job-store.ts";
import { createScheduleStore } from "../../src/cron/schedule-store.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { projectStateDir } from "../../src/store/state-dir.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { createTaskBoard } from "../../src/tasks/task-board.ts";
import { openMemberTable } from "../../src/teams/member-table.ts";
import type { Ledger } from "./ledger.ts";
import { LONG_SLEEP } from "./scripted-server.ts";

export async function checkState(cwd: string, ledger: Ledger): Promise<string[]> {
	const store = await openStore({ stateDir: await projectStateDir(cwd, cwd), clock: systemClock });
	try {
		return [
			...store.faults().map(({ place, key, reason }) => `unreadable: ${place} ${key}: ${reason}`),
			...checkBoard(store, ledger),
			...checkSchedules(store, ledger),
			...checkSession(store, ledger),
			...findLeftovers().map((command) => `left running: ${command}`),
		];
	} finally {
		await store.close();
	}
}

function checkBoard(store: Store, ledger: Ledger): string[] {
	const tasks = createTaskBoard({ store, clock: systemClock, sessionId: "checker" }).list();
	const statuses = new Map(tasks.map(({ id, status }) => [id, status]));
	const troubles = doubles(tasks.map(({ title }) => title)).map((title) => `two tasks are called ${title}`);
	for (const id of ledger.tasks) if (!statuses.has(id)) troubles.push(`${id} was created and is gone`);
	for (const id of ledger.completed) {
		if (statuses.get(id) !== "COMPLETED") troubles.push(`${id} was completed and is ${statuses.get(id)}`);
	}
	for (const [id, status] of statuses) {
		if (status === "COMPLETED") ledger.completed.add(id);
		if (status === "IN_PROGRESS") troubles.push(`${id} is held by the dead`);
	}
	return troubles;
}

function checkSchedules(store: Store, ledger: Ledger): string[] {
	const schedules = createScheduleStore(store).list();
	const ids = new Set(schedules.map(({ id }) => id));
	return [
		...doubles(schedules.map(({ prompt }) => prompt)).map((prompt) => `two schedules are for ${prompt}`),
		...[...ledger.schedules].filter((id) => !ids.has(id)).map((id) => `${id} was made and is gone`),
	];
}

function checkSession(store: Store, ledger: Ledger): string[] {
	const sessionId = store.sessions.list().find(({ title }) => title !== undefined && ledger.prompts.has(title))?.id;
	if (sessionId === undefined) return ["the session is gone"];
	const jobs = createJobStore(store).list(sessionId);
	const running = store.runs.listRuns({ sessionId }).filter(({ status }) => !/COMPLETED|FAILED/.test(status));
	const members = openMemberTable(store).list(sessionId);
	return [
		...[...ledger.jobs].filter((id) => !jobs.some((job) => job.id === id)).map((id) => `${id} is not on record`),
		...jobs.filter(({ status }) => status === "running").map(({ id }) => `${id} is on record as running`),
		...jobs.filter(({ outputFile }) => !existsSync(outputFile)).map(({ id }) => `the output of ${id} is gone`),
		...running.map(({ id, status }) => `${id} is on record as ${status}`),
		...(members.length === 1 ? [] : [`${members.length} teammates are on record`]),
	];
}

/** Jobs of this conversation that still run, whoever their parent is. */
function findLeftovers(): string[] {
	const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
	return pids.map(commandOf).filter((command) => new RegExp(`^sleep ${LONG_SLEEP / 1_000}\\d{3}$`).test(command));
}

function commandOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
	} catch {
		// It has just ended.
		return "";
	}
}

const doubles = (texts: readonly string[]) => [...new Set(texts.filter((text, at) => texts.indexOf(text) !== at))];
