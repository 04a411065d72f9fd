// What the rules answer: say something, or call tools. And the one way they get at results: ask for a call;
// if it was made before, here is its result, else it goes on the list of calls to make next.
// So a rule is written from top to bottom and replayed over the history on every turn.

import type { MadeCall, ToolAnswer, ToolCall } from "./history.ts";
import { isMoved } from "./read-results.ts";

export type Step =
	| { readonly kind: "say"; readonly text: string }
	| { readonly kind: "call"; readonly text: string; readonly calls: readonly ToolCall[] };

/** More calls than this are spread over several turns. */
export const MAX_CALLS_PER_TURN = 64;

// A long conversation loses old results. A search is then made in pieces (tree.ts); others are called again.
const MAX_TIMES = 3;
const isDivisible = (call: ToolCall) => call.name === "grep";

export interface Asker {
	/** The result of this very call, or undefined when it has yet to be made. */
	ask(call: ToolCall): ToolAnswer | undefined;
	readonly madeCount: number;
	/** Calls asked for and not made yet. */
	readonly missing: readonly ToolCall[];
}

export function createAsker(made: readonly MadeCall[]): Asker {
	const answers = new Map<string, ToolAnswer>();
	const times = new Map<string, number>();
	for (const { answer, ...call } of made) {
		const key = keyOf(call);
		if (answer) answers.set(key, answer);
		times.set(key, (times.get(key) ?? 0) + 1);
	}
	const missing = new Map<string, ToolCall>();
	return {
		madeCount: made.length,
		ask(call) {
			const key = keyOf(call);
			const answer = answers.get(key);
			const isLost = answer !== undefined && isMoved(answer) && !isDivisible(call);
			if (answer && !(isLost && (times.get(key) ?? 0) < MAX_TIMES)) return answer;
			missing.set(key, call);
			return undefined;
		},
		get missing() {
			return [...missing.values()];
		},
	};
}

/** Makes the next of the calls that are missing. */
export function callNext(text: string, missing: readonly ToolCall[]): Step {
	return { kind: "call", text, calls: missing.slice(0, MAX_CALLS_PER_TURN) };
}

// The rules build an input the same way each time, and JSON keeps the order of keys.
function keyOf(call: ToolCall): string {
	return JSON.stringify([call.name, call.input]);
}
