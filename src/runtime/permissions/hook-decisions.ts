// What a person's own hooks allowed, as main heard it itself. An agent's thread says of a call what its hooks decided;
// that they want a person to be asked is believed, that they allow the call only if main remembers it.

import { isRecord } from "../../lib/is-record.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { HooksResult, RequestParams } from "../../wire/requests.ts";

export interface HookDecisions {
	/** The hooks have answered the run's question. */
	note(run: LiveRun, request: RequestParams<"run-hooks">, said: HooksResult): void;
	/** The decision that counts for a call. One that allows counts once. */
	take(run: LiveRun, call: RequestParams<"authorize-call">): "allow" | "ask" | undefined;
}

interface Allowed {
	readonly toolName: unknown;
	/** What the hooks saw. */
	readonly input: unknown;
	/** What they put in its place. */
	readonly replaced: unknown;
}

/** Calls that needed no permission leave theirs behind. */
const MAX_KEPT = 1_000;

export function createHookDecisions(): HookDecisions {
	const byRun = new WeakMap<LiveRun, Map<string, Allowed>>();
	return {
		note: (run, { event, payload }, { permission, replaced }) => {
			if (event !== "PreToolUse" || permission !== "allow") return;
			const allowed = byRun.get(run) ?? new Map<string, Allowed>();
			byRun.set(run, allowed);
			if (allowed.size >= MAX_KEPT) allowed.clear();
			allowed.set(String(payload.toolUseId), { toolName: payload.toolName, input: payload.input, replaced });
		},
		take: (run, { toolUseId, toolName, input, hookDecision }) => {
			if (hookDecision !== "allow") return hookDecision;
			const allowed = byRun.get(run)?.get(toolUseId);
			byRun.get(run)?.delete(toolUseId);
			if (allowed?.toolName !== toolName) return undefined;
			const { replaced } = allowed;
			const isSame = replaced === undefined ? toKey(allowed.input) === toKey(input) : comesFrom(replaced, input);
			return isSame ? "allow" : undefined;
		},
	};
}

// The tool has read it since: fields it does not know are gone, numbers and flags with a default are there.
function comesFrom(replaced: unknown, input: unknown): boolean {
	if (!isRecord(replaced) || !isRecord(input)) return toKey(replaced) === toKey(input);
	return Object.entries(input).every(([name, value]) =>
		Object.hasOwn(replaced, name) ? toKey(replaced[name]) === toKey(value) : typeof value !== "string",
	);
}

/** The same for inputs that differ only in the order of their fields. */
function toKey(input: unknown): string {
	return JSON.stringify(input, (_key, value: unknown) =>
		typeof value === "object" && value !== null && !Array.isArray(value)
			? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
			: value,
	);
}
