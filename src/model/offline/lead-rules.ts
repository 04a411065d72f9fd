// The lead of a survey: look at the folder, start one explore agent per part, wait without polling, merge.
// Pure: everything comes from the history since the survey was asked for.

import { OFFLINE_LINE } from "./about.ts";
import type { MadeCall, ToolCall } from "./history.ts";
import { code, counted } from "./markdown.ts";
import { type Part, SKIPPED_TEXT } from "./parts.ts";
import { MAX_PARTS } from "./plan-parts.ts";
import { callNext, createAsker, type Step } from "./steps.ts";
import { partPrompt } from "./survey-prompts.ts";
import { renderSurveyReport } from "./survey-report.ts";
import { hasEnded, readSurveyTasks, type SurveyTask } from "./survey-tasks.ts";
import { type TreeView, viewTree } from "./view-tree.ts";

export interface LeadSituation {
	/** The folder to survey, as the person wrote it. */
	readonly root: string;
	readonly made: readonly MadeCall[];
	/** All that was said to the lead since it was asked. */
	readonly texts: readonly string[];
	/** No more tool calls: say what is known. */
	readonly wrapUp: boolean;
}

export function decideLeadStep(situation: LeadSituation): Step {
	const { root, made, texts, wrapUp } = situation;
	const asker = createAsker(made);
	const tasks = readSurveyTasks(made, texts);
	const view = viewTree(root, asker);
	if (tasks.length === 0) {
		if (wrapUp) return say(`The survey of ${code(root)} was cut short before any part was started.`);
		if (asker.missing.length > 0) return callNext(`Looking at ${code(root)}.`, asker.missing);
		return dispatchParts(root, view);
	}
	const report = () => say(renderSurveyReport({ root, tasks, notes: leftOutNotes(view) }));
	if (wrapUp) return report();
	const questions = questionsAbout(tasks);
	if (questions.length > 0) return callNext("Asking for results that did not come with their notice.", questions);
	const retries = retriesOf(tasks);
	if (retries.length > 0) return callNext(`Starting ${counted(retries.length, "part")} that had to wait.`, retries);
	return tasks.some(({ state }) => state.kind === "running") ? { kind: "say", text: progressOf(tasks) } : report();
}

/** How far the survey is, in a few words; undefined when no part was started. */
export function surveyProgress(made: readonly MadeCall[], texts: readonly string[]): string | undefined {
	const tasks = readSurveyTasks(made, texts);
	return tasks.length === 0 ? undefined : progressOf(tasks);
}

function progressOf(tasks: readonly SurveyTask[]): string {
	const ended = tasks.filter(({ state }) => hasEnded(state)).length;
	const waiting = tasks.filter(({ state }) => state.kind === "refused").length;
	const wait = waiting > 0 ? `, ${waiting} to be started when there is room` : "";
	return `${ended} of ${counted(tasks.length, "part")} reported${wait}.`;
}

function dispatchParts(root: string, view: TreeView): Step {
	if (view.error !== undefined) return say(`${code(root)} cannot be surveyed: ${code(view.error)}`);
	const parts = view.plan?.parts ?? [];
	if (parts.length === 0) {
		return say(`There is nothing to survey in ${code(root)}: it holds no files outside of ${SKIPPED_TEXT}.`);
	}
	const names = parts.map((part) => code(part.name)).join(", ");
	const text = `Offline model (fixed rules, no LLM): surveying ${counted(parts.length, "part")} of ${code(root)}: ${names}.`;
	return { kind: "call", text, calls: parts.map(taskCall) };
}

function taskCall(part: Part): ToolCall {
	return {
		name: "task",
		input: { description: `survey ${part.name.slice(0, 80)}`, prompt: partPrompt(part), agent_type: "explore" },
	};
}

function questionsAbout(tasks: readonly SurveyTask[]): ToolCall[] {
	return tasks.flatMap(({ state }) =>
		state.kind === "unclear" ? [{ name: "query_task", input: { task_id: state.taskId } }] : [],
	);
}

// Each part that has ended frees a place; one more try when nothing runs at all, for places others have freed.
function retriesOf(tasks: readonly SurveyTask[]): ToolCall[] {
	const ended = tasks.filter(({ state }) => hasEnded(state)).length;
	const running = tasks.some(({ state }) => state.kind === "running");
	return tasks.flatMap(({ state, input }) => {
		if (state.kind !== "refused") return [];
		const allowed = running ? 1 + ended : 2 + ended;
		return state.attempts < allowed ? [{ name: "task", input }] : [];
	});
}

function leftOutNotes({ plan, skipped, notes }: TreeView): string[] {
	const grouped = plan?.grouped ?? [];
	return [
		...(skipped.length > 0 ? [`Folders that were skipped: ${skipped.map(code).join(", ")}.`] : []),
		...(grouped.length > 0
			? [`More than ${MAX_PARTS} parts: the smallest share one agent: ${grouped.map(code).join(", ")}.`]
			: []),
		...notes,
	];
}

function say(text: string): Step {
	return { kind: "say", text: text.endsWith(OFFLINE_LINE) ? text : `${text}\n\n${OFFLINE_LINE}` };
}
