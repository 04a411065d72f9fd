// Caps on one task: turns, tokens, dollars. Wall time is watched from outside the agent (supervision/).

import type { RunLimits } from "../wire/run.ts";
import { systemNote } from "./added-text.ts";
import type { Spent } from "./agent-state.ts";

const DEFAULT_TURNS = 50;

export interface Cap {
	readonly reason: "max-turns" | "budget";
	/** E.g. `50 turns`. */
	readonly limit: string;
}

/** The cap that what was spent since `baseline` has reached, if any. */
export function findCap(limits: RunLimits, spent: Spent, baseline: Spent): Cap | undefined {
	const { turns = DEFAULT_TURNS, tokens, usd } = limits;
	if (spent.turns - baseline.turns >= turns)
		return { reason: "max-turns", limit: turns === 1 ? "1 turn" : `${turns} turns` };
	if (tokens !== undefined && spent.tokens - baseline.tokens >= tokens) {
		return { reason: "budget", limit: `${tokens} tokens` };
	}
	if (usd !== undefined && spent.usd - baseline.usd >= usd) return { reason: "budget", limit: `$${usd}` };
	return undefined;
}

/** What the model is told before its last turn. */
export function wrapUpNote({ limit }: Cap): string {
	return systemNote(
		`The limit of ${limit} for this task is reached and no tool can be called any more. ` +
			"This is the last reply: say what was done, what was found, and what is left to do.",
	);
}
