// The order of decisions for every tool but bash.

import type { Decision } from "./call.ts";
import { isInside } from "./paths/place.ts";
import { isProtected } from "./protected-files.ts";
import { type CallTarget, fitsCall, targetOf } from "./rules/match-call.ts";
import { describeRule } from "./rules/rule.ts";
import { FILE_WRITERS } from "./rules/tool-names.ts";
import { allow, ask, deny, PLAN_PENDING, type Situation } from "./situation.ts";
import { suggestForCall } from "./suggestions.ts";

export function decideCall(situation: Situation): Decision {
	const { call, toolName, mode, context, isOwnState } = situation;
	const target = targetOf(toolName, call.input, context);
	const looksOnly = call.toolReadOnly === true || isOwnState;

	const denied = situation.deny.find((rule) => fitsCall(rule, target, context));
	if (denied)
		return deny(`Permission denied: ${describeTarget(target)} is denied by the rule ${describeRule(denied)}`, denied);
	if (call.agent.readOnly && !looksOnly) {
		return deny(`Permission denied: ${call.agent.type} agents may not change anything, and ${toolName} may`);
	}
	if (call.agent.planPending && !looksOnly) {
		return deny(`Permission denied: ${PLAN_PENDING}${toolName} may change something`);
	}
	if (mode === "plan" && !looksOnly) {
		return deny(`Permission denied: in plan mode nothing may be changed, and ${toolName} may; finish the plan first`);
	}
	const asked = situation.ask.find((rule) => fitsCall(rule, target, context));
	if (asked) return ask(`the rule ${describeRule(asked)} asks about ${describeTarget(target)}`);
	if (call.hookDecision === "ask") return ask(`a hook asks about ${describeTarget(target)}`);
	const allowed = situation.allow.find((rule) => fitsCall(rule, target, context));
	if (allowed) return allow(allowed);
	if (call.hookDecision === "allow" || mode === "bypassPermissions") return allow();
	if (mode === "acceptEdits" && isAcceptedEdit(target, situation)) return allow();
	if (looksOnly) return allow();
	return ask(reasonToAsk(target, situation), suggestForCall(target, situation.root));
}

function isAcceptedEdit({ toolName, places }: CallTarget, { folders, context }: Situation): boolean {
	if (!FILE_WRITERS.includes(toolName) || places.length === 0) return false;
	return places.every((place) => isInside(place, folders, context.files) && !isProtected(place, context.copy));
}

function reasonToAsk(target: CallTarget, { call, mode }: Situation): string {
	const what = describeTarget(target);
	if (call.toolReadOnly === "unknown") return `${what} is a tool that nobody has registered`;
	if (mode === "acceptEdits" && FILE_WRITERS.includes(target.toolName)) {
		return `${what} is outside the workspace or decides what may run`;
	}
	return `${what} may change something, and no rule allows it`;
}

function describeTarget({ toolName, places, host, subject }: CallTarget): string {
	const [place] = places;
	const object = place?.written ?? host ?? subject;
	return object === undefined ? toolName : `${toolName} of ${object}`;
}
