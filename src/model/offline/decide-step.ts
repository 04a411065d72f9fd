// Finds out what a request wants and lets the right rules answer: a survey's lead, an explore agent, or chat.

import { decideChatStep } from "./chat-rules.ts";
import { decideExploreStep } from "./explore-rules.ts";
import { type HistoryEntry, madeCalls, readHistory, userTexts } from "./history.ts";
import { decideLeadStep, surveyProgress } from "./lead-rules.ts";
import type { Part } from "./parts.ts";
import { readNotices, requestIn } from "./read-notices.ts";
import type { Step } from "./steps.ts";
import { parsePartPrompt, parseSurveyPrompt } from "./survey-prompts.ts";
import { SURVEY_TITLE } from "./survey-report.ts";

export interface StepRequest {
	readonly messagesJson: readonly string[];
	readonly toolNames: ReadonlySet<string>;
	/** No more tool calls: say what is known. */
	readonly toolFree: boolean;
}

/** What a person or a lead asked for, and where in the history. */
type Task =
	| { readonly kind: "part"; readonly at: number; readonly part: Part }
	| { readonly kind: "survey"; readonly at: number; readonly root: string };

export function decideStep(request: StepRequest): Step {
	const entries = readHistory(request.messagesJson);
	const lastAt = entries.findLastIndex((entry) => entry.said !== undefined);
	const lastSaid = entries[lastAt]?.said ?? "";
	const prompt = requestIn(lastSaid);
	const asked = readTask(prompt, lastAt);
	if (asked) return workOn(asked, entries, request);
	const earlier = entries
		.slice(0, Math.max(0, lastAt))
		.map((entry, at) => readTask(requestIn(entry.said ?? ""), at))
		.findLast((task) => task !== undefined);
	// A cap asks for a last word in a message of its own; what it is about was said before.
	if (request.toolFree) {
		return earlier ? workOn(earlier, entries, request) : { kind: "say", text: "I was stopped before I could answer." };
	}
	const isWoken = readNotices([lastSaid]).length > 0;
	const open = earlier?.kind === "survey" && isOpen(entries.slice(earlier.at)) ? earlier : undefined;
	if (prompt === "") {
		return open ? workOn(open, entries, request) : { kind: "say", text: "I took note; nothing waits for this." };
	}
	const reply = decideChatStep(prompt, madeCalls(entries.slice(lastAt)), request.toolNames);
	if (!open || reply.kind === "call") return reply;
	if (!isWoken) return { kind: "say", text: `${reply.text}\n\n${progressLine(entries.slice(open.at))}` };
	// A notice came together with what a person said: both get their answer.
	const next = workOn(open, entries, request);
	return { ...next, text: `${reply.text}\n\n${next.text}` };
}

function readTask(prompt: string, at: number): Task | undefined {
	const part = parsePartPrompt(prompt);
	if (part) return { kind: "part", at, part };
	const root = parseSurveyPrompt(prompt);
	return root === undefined ? undefined : { kind: "survey", at, root };
}

function workOn(task: Task, entries: readonly HistoryEntry[], request: StepRequest): Step {
	const since = entries.slice(task.at);
	const made = madeCalls(since);
	const wrapUp = request.toolFree;
	if (task.kind === "part") return decideExploreStep({ part: task.part, made, wrapUp });
	if (request.toolNames.has("task") || made.some((call) => call.name === "task")) {
		return decideLeadStep({ root: task.root, made, texts: userTexts(since), wrapUp });
	}
	// An agent that may not start others does the whole tree itself.
	const whole: Part = { root: task.root, name: task.root, scopes: [{ path: "", depth: "all" }], otherParts: [] };
	return decideExploreStep({ part: whole, made, wrapUp });
}

/** Parts were started and the merged report has not been written. */
function isOpen(since: readonly HistoryEntry[]): boolean {
	const isReported = since.some(
		({ message }) =>
			message.role === "assistant" &&
			message.content.some((block) => block.type === "text" && block.text.includes(SURVEY_TITLE)),
	);
	return !isReported && surveyProgress(madeCalls(since), userTexts(since)) !== undefined;
}

function progressLine(since: readonly HistoryEntry[]): string {
	return `A survey is under way: ${surveyProgress(madeCalls(since), userTexts(since)) ?? "no part was started."}`;
}
