// What the rules answer: say something, or call tools. And the one way they get at results: ask for a call;
// if it was made before, here is its result, else it goes on the list of calls to make next.
// So a rule is written from top to bottom and replayed over the history on every turn.

import type { MadeCall, ToolAnswer, ToolCall } from "./history.ts";

export type Step =
	| { readonly kind: "say"; readonly text: string }
	| { readonly kind: "call"; readonly text: string; readonly calls: readonly ToolCall[] };

/** More calls than this are spread over several turns. */
export const MAX_CALLS_PER_TURN = 64;

export interface Asker {
	/** The result of this very call, or undefined when it has yet to be made. */
	ask(call: ToolCall): ToolAnswer | undefined;
	readonly madeCount: number;
	/** Calls asked for and not made yet. */
	readonly missing: readonly ToolCall[];
}

export function createAsker(made: readonly MadeCall[]): Asker {
	const answers = new Map(made.flatMap(({ answer, ...call }) => (answer ? [[keyOf(call), answer] as const] : [])));
	const missing = new Map<string, ToolCall>();
	return {
		madeCount: made.length,
		ask(call) {
			const key = keyOf(call);
			const answer = answers.get(key);
			if (!answer) missing.set(key, call);
			return answer;
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
