// What one user hook said, and how several are added up: stop > deny > ask > allow.

import type { HooksResult } from "../wire/requests.ts";
import { stricter } from "./merge-outcomes.ts";

export interface HookVerdict {
	/** Ends the agent's turn (`continue: false`). */
	readonly stop?: string;
	readonly block?: string;
	readonly permission?: "allow" | "ask";
	/** PreToolUse: the new input, in our field names. PostToolUse: the new result text. */
	readonly replaced?: { readonly value: unknown };
	/** For the model. */
	readonly context?: string;
	/** For the person. */
	readonly warnings?: readonly string[];
}

const MAX_TEXT_CHARS = 10_000;

/** Keeps what a hook says to the model within bounds. */
export function cutText(text: string): string {
	if (text.length <= MAX_TEXT_CHARS) return text;
	return `${text.slice(0, MAX_TEXT_CHARS)}\n… (${text.length - MAX_TEXT_CHARS} more characters left out)`;
}

/** Adds up verdicts in the order of their hooks; of several rewritten values the last one counts. */
export function mergeVerdicts(verdicts: readonly HookVerdict[]): HooksResult {
	const stops = verdicts.map((verdict) => verdict.stop).filter((reason) => reason !== undefined);
	const blocks = verdicts.map((verdict) => verdict.block).filter((reason) => reason !== undefined);
	const contexts = verdicts.map((verdict) => verdict.context).filter((text) => text !== undefined && text !== "");
	const permission = verdicts.map((verdict) => verdict.permission).reduce(stricter, undefined);
	const replaced = verdicts.findLast((verdict) => verdict.replaced !== undefined)?.replaced;
	return {
		...(stops.length === 0 ? {} : { stop: stops.join("\n") }),
		...(blocks.length === 0 ? {} : { blocked: blocks.join("\n") }),
		...(contexts.length === 0 ? {} : { context: contexts.join("\n\n") }),
		...(permission === undefined ? {} : { permission }),
		...(replaced === undefined ? {} : { replaced: replaced.value }),
	};
}
