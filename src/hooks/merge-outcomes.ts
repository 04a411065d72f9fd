// Adds up what several handlers say about one event. Pure.

import { CONTINUE, type HookOutcome } from "./events.ts";

/** What the handlers so far want, short of `block` and `stop`, which end the round. */
export interface MergedOutcome {
	readonly contexts: readonly string[];
	readonly permission: "allow" | "ask" | undefined;
	readonly replaced: { readonly value: unknown } | undefined;
}

export const NOTHING_SAID: MergedOutcome = { contexts: [], permission: undefined, replaced: undefined };

export function addOutcome(
	merged: MergedOutcome,
	outcome: Extract<HookOutcome, { kind: "continue" | "replace" }>,
	takesValue: boolean,
): MergedOutcome {
	if (outcome === CONTINUE) return merged;
	return {
		contexts: outcome.context ? [...merged.contexts, outcome.context] : merged.contexts,
		permission: stricter(merged.permission, outcome.permission),
		replaced: outcome.kind === "replace" && takesValue ? { value: outcome.value } : merged.replaced,
	};
}

export function toOutcome(merged: MergedOutcome): HookOutcome {
	if (merged === NOTHING_SAID) return CONTINUE;
	const rest = {
		...(merged.contexts.length === 0 ? {} : { context: merged.contexts.join("\n\n") }),
		...(merged.permission === undefined ? {} : { permission: merged.permission }),
	};
	return merged.replaced ? { kind: "replace", value: merged.replaced.value, ...rest } : { kind: "continue", ...rest };
}

/** deny is a `block`; of the others `ask` beats `allow`. */
export function stricter(
	one: "allow" | "ask" | undefined,
	other: "allow" | "ask" | undefined,
): "allow" | "ask" | undefined {
	return one === "ask" || other === "ask" ? "ask" : (one ?? other);
}

/** Guards against handlers in plain JavaScript. */
export function isHookOutcome(value: unknown): value is HookOutcome {
	if (typeof value !== "object" || value === null) return false;
	const { kind, reason, context, permission } = value as Record<string, unknown>;
	if (kind === "block" || kind === "stop") return typeof reason === "string";
	if (kind !== "continue" && kind !== "replace") return false;
	if (context !== undefined && typeof context !== "string") return false;
	return permission === undefined || permission === "allow" || permission === "ask";
}
