// `/task` in the REPL: the person's own hand on the board. Answers with lines.

import { isClowderError } from "../errors.ts";
import type { TaskBoardHand } from "./task-board.ts";
import { describeTask, formatCompletion, formatTaskList } from "./task-texts.ts";

export const TASK_USAGE = "Usage: /task [list] | add [t1] TITLE [--after t1,t2] | show ID | done ID [RESULT] | rm ID";

/** Runs what stands behind `/task`; expected failures are lines too. */
export async function runTaskCommand(board: TaskBoardHand, rest: string): Promise<string[]> {
	const [verb = "", ...words] = rest.trim().split(/\s+/);
	try {
		switch (verb) {
			case "":
			case "list":
				return formatTaskList(board.list(), board.openBlockers);
			case "add":
				return await add(board, words);
			case "show":
				return withId(words, (id) => show(board, id));
			case "done":
				return await withId(words, (id, text) => done(board, id, text));
			case "rm":
				return await withId(words, (id) => remove(board, id));
			default:
				return [`Unknown subcommand: ${verb}`, TASK_USAGE];
		}
	} catch (thrown) {
		if (!isClowderError(thrown)) throw thrown;
		return [`Error: ${thrown.message}`];
	}
}

async function add(board: TaskBoardHand, words: readonly string[]): Promise<string[]> {
	const { title, id, after } = readDraft(words);
	if (title === "") return ["Error: a title is required", TASK_USAGE];
	const task = await board.create({ title, ...(id === undefined ? {} : { id }), blockedBy: after });
	return [`Task created: ${task.id}`];
}

/** `t2 Write the index --after t1`: a first word like `t2` is the id, quotes around the title are not part of it. */
function readDraft(words: readonly string[]): { title: string; id: string | undefined; after: string[] } {
	const after: string[] = [];
	const plain: string[] = [];
	for (let at = 0; at < words.length; at++) {
		const word = words[at] ?? "";
		if (word === "--after") after.push(...namesIn(words[++at] ?? ""));
		else if (word.startsWith("--after=")) after.push(...namesIn(word.slice("--after=".length)));
		else plain.push(word);
	}
	const id = /^t\d+$/.test(plain[0] ?? "") ? plain.shift() : undefined;
	return { title: plain.join(" ").replace(/^(["'])(.*)\1$/, "$2"), id, after };
}

const namesIn = (list: string) => list.split(",").filter((name) => name !== "");

function withId<R>(words: readonly string[], run: (id: string, text: string) => R): R | string[] {
	const [id, ...text] = words;
	return id === undefined ? ["Error: a task id is required", TASK_USAGE] : run(id, text.join(" "));
}

function show(board: TaskBoardHand, id: string): string[] {
	const task = board.get(id);
	return task ? describeTask(task, board.get) : [`Error: task not found: ${id}`];
}

async function done(board: TaskBoardHand, id: string, text: string): Promise<string[]> {
	const { task, unblocked } = await board.completeByHand(id, text === "" ? undefined : text);
	return formatCompletion(task, unblocked);
}

async function remove(board: TaskBoardHand, id: string): Promise<string[]> {
	const { task, stillBlocked } = await board.remove(id);
	const waiting = stillBlocked.length === 0 ? [] : [`Still BLOCKED by it: ${stillBlocked.join(", ")}`];
	return [`Task removed: ${task.id}`, ...waiting];
}
