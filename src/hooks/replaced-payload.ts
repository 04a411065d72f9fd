// What later handlers see once one of them has put something else in the place of an event's value.

import type { HookEventName, HookPayloads } from "./events.ts";

/** The payload with the new value in it; undefined where the event has nothing that this value could replace. */
export function withReplaced(
	event: HookEventName,
	payload: HookPayloads[HookEventName],
	value: unknown,
): HookPayloads[HookEventName] | undefined {
	if (event === "PreToolUse") return { ...(payload as HookPayloads["PreToolUse"]), input: value };
	if (event !== "PostToolUse" || typeof value !== "string") return undefined;
	const { result, ...call } = payload as HookPayloads["PostToolUse"];
	return { ...call, result: { ...result, content: value } };
}
