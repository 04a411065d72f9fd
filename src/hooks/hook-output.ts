// What a user hook's exit code and output mean. Pure: exit 0 speaks through stdout, exit 2 blocks with stderr, any
// other end is shown to the person and changes nothing.

import { messageOf } from "../errors.ts";
import type { HookEventName } from "./events.ts";
import { describeHook, type HookFacts } from "./hook-facts.ts";
import { readHookJson } from "./hook-json.ts";
import { cutText, type HookVerdict } from "./hook-verdict.ts";
import type { CommandHookEnd } from "./run-command-hook.ts";

/** Events that a hook can stop from happening. */
const BLOCKING: ReadonlySet<HookEventName> = new Set([
	"PreToolUse",
	"UserPromptSubmit",
	"Stop",
	"SubagentStop",
	"TeammateIdle",
	"TaskCreated",
	"TaskCompleted",
	"PreCompact",
]);
/** Events for which plain text on stdout is context for the model. */
const PLAIN_CONTEXT: ReadonlySet<HookEventName> = new Set(["UserPromptSubmit", "SessionStart"]);

export function interpretHookEnd(end: CommandHookEnd, facts: HookFacts): HookVerdict {
	const label = describeHook(facts);
	switch (end.kind) {
		case "aborted":
			return {};
		case "timed-out":
			return { warnings: [`${label} was ended after ${facts.timeoutMs / 1_000} s; it has no effect`] };
		case "not-started":
			return { warnings: [`${label} could not be started: ${end.reason}`] };
		case "exited":
			if (end.code === 0) return interpretOutput(end, facts);
			if (end.code === 2) return block(facts, cutText(end.stderr.trim()) || `${label} gave no reason`);
			return { warnings: [`${label} ${failure(end.code)}${firstLine(end.stderr)}; it has no effect`] };
	}
}

/** Turns "no" into what it means for this event: a block, words for the model, or words for the person. */
function block(facts: HookFacts, reason: string): HookVerdict {
	if (BLOCKING.has(facts.event)) return { block: reason };
	// The tool has run: all that is left is to tell the model.
	if (facts.event === "PostToolUse") return { context: reason };
	return { warnings: [`${describeHook(facts)}: ${reason}`] };
}

function interpretOutput(end: Extract<CommandHookEnd, { kind: "exited" }>, facts: HookFacts): HookVerdict {
	const text = end.stdout.trim();
	if (text === "") return {};
	const json = text.startsWith("{") ? parseObject(text) : undefined;
	if (json && typeof json !== "string") return readHookJson(json, facts, (reason) => block(facts, reason));
	if (PLAIN_CONTEXT.has(facts.event)) return { context: cutText(text) };
	if (json === undefined) return {};
	const why = end.cut ? "it is too long" : json;
	return { warnings: [`${describeHook(facts)} answered JSON that cannot be read (${why}); it has no effect`] };
}

// The object, or why there is none.
function parseObject(text: string): Readonly<Record<string, unknown>> | string {
	try {
		return JSON.parse(text) as Readonly<Record<string, unknown>>;
	} catch (thrown) {
		return messageOf(thrown).slice(0, 200);
	}
}

function failure(code: number | null): string {
	return code === null ? "was ended by a signal" : `failed with exit code ${code}`;
}

function firstLine(stderr: string): string {
	const line = stderr.trim().split("\n", 1)[0] ?? "";
	return line === "" ? "" : `: ${line.slice(0, 300)}`;
}
