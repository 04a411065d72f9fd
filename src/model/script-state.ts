// Which reply of a script is next. Every attempt uses one up, also a failed one: `[error, ok]` plays an error
// to the first attempt of a call and the answer to its retry.

import { ClowderError } from "../errors.ts";
import type { ModelCaller } from "../wire/model-call.ts";
import type { Script, ScriptedReply } from "../wire/model-config.ts";

/** Attempts per run; a run that is new here starts at its own turn, so that a restarted gateway plays on. */
export interface AttemptCounter {
	/** 1 for the first attempt of this run, then 2, 3, … */
	next(caller: ModelCaller): number;
}

export function createAttemptCounter(): AttemptCounter {
	const counts = new Map<string, number>();
	return {
		next(caller) {
			const attempt = (counts.get(caller.runId) ?? caller.turn - 1) + 1;
			counts.set(caller.runId, attempt);
			return attempt;
		},
	};
}

/**
 * The reply to a run's attempt.
 *
 * @throws ClowderError ERR_SCRIPT when no key names the agent or its list is at its end.
 */
export function pickReply(script: Script, caller: ModelCaller, attempt: number): ScriptedReply {
	const replies = repliesFor(script, caller);
	const reply = replies[attempt - 1] ?? (script.afterEnd === "repeat" ? replies.at(-1) : undefined);
	if (reply) return reply;
	throw new ClowderError(
		"ERR_SCRIPT",
		`The script has ${replies.length} replies for ${describe(caller)}, but its call ${attempt} needs one more`,
		{ remedy: 'Add a reply, or set afterEnd to "repeat"' },
	);
}

function repliesFor(script: Script, caller: ModelCaller): readonly ScriptedReply[] {
	for (const key of [caller.runId, caller.name, caller.agentType, "*"]) {
		const replies = Object.hasOwn(script.agents, key) ? script.agents[key] : undefined;
		if (replies) return replies;
	}
	const known = Object.keys(script.agents).map((key) => JSON.stringify(key));
	throw new ClowderError("ERR_SCRIPT", `The script has no replies for ${describe(caller)}`, {
		remedy: `It names ${known.join(", ") || "no agent"}; add the agent, or "*" for all others`,
	});
}

function describe(caller: ModelCaller): string {
	return `the agent ${JSON.stringify(caller.name)} (type ${JSON.stringify(caller.agentType)})`;
}
