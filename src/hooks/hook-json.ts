// Reads the JSON that a user hook prints on stdout. Fields that do not have the agreed shape are told to the person
// and ignored; the others count.

import { isRecord } from "../lib/is-record.ts";
import { toOwnInput } from "./claude-inputs.ts";
import { describeHook, type HookFacts } from "./hook-facts.ts";
import { cutText, type HookVerdict } from "./hook-verdict.ts";

type Json = Readonly<Record<string, unknown>>;

/** @param block what a refusal with this reason means for the event. */
export function readHookJson(json: Json, facts: HookFacts, block: (reason: string) => HookVerdict): HookVerdict {
	const warnings: string[] = [];
	const complain = (problem: string) => void warnings.push(`${describeHook(facts)}: ${problem}`);
	const reason = textOf(json.reason);
	const verdicts: HookVerdict[] = [];
	if (typeof json.systemMessage === "string") warnings.push(json.systemMessage);
	if (json.continue === false) verdicts.push({ stop: textOf(json.stopReason) || "A hook ended the turn" });
	if (json.decision === "block") verdicts.push(block(reason || "A hook said no and gave no reason"));
	else if (json.decision === "approve" && facts.event === "PreToolUse") verdicts.push({ permission: "allow" });
	else if (json.decision !== undefined && json.decision !== "approve") {
		complain(`its decision ${JSON.stringify(json.decision)} is not known; write "block"`);
	}
	const specific = json.hookSpecificOutput;
	if (isRecord(specific)) verdicts.push(...readSpecific(specific, facts, complain));
	else if (specific !== undefined && specific !== null) complain("hookSpecificOutput must be an object");
	const joined = Object.assign({}, ...verdicts) as HookVerdict;
	const contexts = verdicts.map((verdict) => verdict.context).filter((text) => text !== undefined);
	return {
		...joined,
		...(contexts.length === 0 ? {} : { context: contexts.join("\n\n") }),
		warnings: [...warnings, ...verdicts.flatMap((verdict) => verdict.warnings ?? [])],
	};
}

function readSpecific(specific: Json, facts: HookFacts, complain: (problem: string) => void): HookVerdict[] {
	const { event } = facts;
	const named = specific.hookEventName;
	if (named !== undefined && named !== event) {
		complain(`its hookSpecificOutput is for ${JSON.stringify(named)}, not for ${event}; it is ignored`);
		return [];
	}
	const verdicts: HookVerdict[] = [];
	const context = textOf(specific.additionalContext);
	if (context !== "") verdicts.push({ context: cutText(context) });
	if (event === "PreToolUse")
		verdicts.push(readPermission(specific, complain), readUpdatedInput(specific, facts, complain));
	if (event === "PostToolUse" && specific.updatedToolOutput !== undefined) {
		verdicts.push({ replaced: { value: outputText(specific.updatedToolOutput) } });
	}
	return verdicts;
}

function readPermission(specific: Json, complain: (problem: string) => void): HookVerdict {
	const decision = specific.permissionDecision;
	if (decision === "allow" || decision === "ask") return { permission: decision };
	if (decision === "deny") {
		return { block: cutText(textOf(specific.permissionDecisionReason)) || "A hook denied it and gave no reason" };
	}
	if (decision !== undefined && decision !== null) {
		complain(`its permissionDecision ${JSON.stringify(decision)} is not one of allow, deny, ask`);
	}
	return {};
}

function readUpdatedInput(specific: Json, facts: HookFacts, complain: (problem: string) => void): HookVerdict {
	const input = specific.updatedInput;
	if (input === undefined || input === null) return {};
	if (isRecord(input)) return { replaced: { value: toOwnInput(facts.toolName, input) } };
	complain("updatedInput must be an object");
	return {};
}

// Our results are text; of the object that hooks were given it is the part that holds it.
function outputText(output: unknown): string {
	if (typeof output === "string") return output;
	const text = isRecord(output) ? (output.content ?? output.stdout) : undefined;
	return typeof text === "string" ? text : (JSON.stringify(output) ?? "");
}

function textOf(value: unknown): string {
	return typeof value === "string" ? cutText(value.trim()) : "";
}
