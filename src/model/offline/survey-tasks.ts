// Where every part of a survey stands, as the lead's history tells it: dispatched, refused, ended, and how.

import type { MadeCall } from "./history.ts";
import { type PartReport, parsePartReport } from "./part-report.ts";
import type { Part } from "./parts.ts";
import { readNotices, type TaskNotice } from "./read-notices.ts";
import { parsePartPrompt } from "./survey-prompts.ts";

export type PartState =
	| { readonly kind: "running"; readonly taskId: string }
	/** It ended, but what it found cannot be read from the notice: ask. */
	| { readonly kind: "unclear"; readonly taskId: string }
	/** The limit of subagents was reached: try again when one has ended. */
	| { readonly kind: "refused"; readonly reason: string; readonly attempts: number }
	| { readonly kind: "failed"; readonly reason: string }
	| { readonly kind: "reported"; readonly report: PartReport }
	/** It answered in a shape of its own. */
	| { readonly kind: "told"; readonly text: string };

export interface SurveyTask {
	readonly part: Part;
	/** The whole input of the `task` call. */
	readonly input: Readonly<Record<string, unknown>>;
	readonly state: PartState;
}

/** The survey's parts in the order they were first dispatched. `texts` is everything said to the lead since. */
export function readSurveyTasks(made: readonly MadeCall[], texts: readonly string[]): SurveyTask[] {
	const dispatches = new Map<string, { part: Part; calls: MadeCall[] }>();
	for (const call of made) {
		const prompt = call.name === "task" ? String(call.input.prompt ?? "") : "";
		const part = parsePartPrompt(prompt);
		if (!part) continue;
		const known = dispatches.get(prompt);
		if (known) known.calls.push(call);
		else dispatches.set(prompt, { part, calls: [call] });
	}
	const notices = readNotices(texts);
	return [...dispatches.values()].map(({ part, calls }) => ({
		part,
		input: calls[0]?.input ?? {},
		state: stateOf(calls, made, notices),
	}));
}

export function hasEnded(state: PartState): boolean {
	return state.kind === "failed" || state.kind === "reported" || state.kind === "told";
}

function stateOf(calls: readonly MadeCall[], made: readonly MadeCall[], notices: readonly TaskNotice[]): PartState {
	const answer = calls.at(-1)?.answer;
	if (!answer) return { kind: "failed", reason: "the task call has no result" };
	const text = answer.text.trim();
	if (answer.isError) {
		const isFull = /max concurrent|limit/i.test(text);
		return isFull ? { kind: "refused", reason: text, attempts: calls.length } : { kind: "failed", reason: text };
	}
	const taskId = /^Task dispatched:\s*(\S+)/.exec(text)?.[1];
	if (taskId === undefined) return stateOfText(text);
	return stateOfRun(
		taskId,
		notices.filter((notice) => notice.taskId === taskId),
		made.filter((call) => call.name === "query_task" && call.input.task_id === taskId),
	);
}

function stateOfRun(taskId: string, notices: readonly TaskNotice[], queries: readonly MadeCall[]): PartState {
	const notice = notices.at(-1);
	const state: PartState = notice ? stateOfNotice(notice) : { kind: "running", taskId };
	if (state.kind !== "unclear" && state.kind !== "told") return state;
	// One question per notice; a second one could only get the same answer.
	if (queries.length < notices.length) return { kind: "unclear", taskId };
	const answered = stateOfQuery(taskId, queries.at(-1)?.answer?.text ?? "");
	return state.kind === "told" && answered.kind !== "reported" ? state : answered;
}

function stateOfNotice(notice: TaskNotice): PartState {
	if (notice.status === "failed") return { kind: "failed", reason: notice.result || "no reason given" };
	if (notice.status === "unknown" || notice.result === "") return { kind: "unclear", taskId: notice.taskId };
	return stateOfText(notice.result);
}

function stateOfQuery(taskId: string, text: string): PartState {
	const match = /^Task \S+ (PENDING|RUNNING|COMPLETED|FAILED)\b[^\n]*(?:\n\n(?:Result|Error):\n([\s\S]*))?/.exec(
		text.trim(),
	);
	const body = match?.[2]?.trim() ?? "";
	if (match?.[1] === "COMPLETED") return stateOfText(body);
	if (match?.[1] === "FAILED") return { kind: "failed", reason: body || "no reason given" };
	if (match) return { kind: "running", taskId };
	return { kind: "failed", reason: text.trim() || "no result came back" };
}

function stateOfText(text: string): PartState {
	const report = parsePartReport(text);
	if (report) return { kind: "reported", report };
	return text === "" ? { kind: "failed", reason: "it returned no text" } : { kind: "told", text };
}
