// Which tools this agent need not ask main about. Main's rules may change while the agent lives: shared memory tells
// when, so that no call is judged by a list that holds no longer.

import type { FreeTools } from "../../wire/control.ts";
import type { AskMain } from "../../wire/requests.ts";

export interface FreeToolList {
	/** Whether every call of the tool is allowed under the rules in force now. */
	includes(toolName: string, signal?: AbortSignal): Promise<boolean>;
}

export function createFreeToolList(init: FreeTools, ask: AskMain): FreeToolList {
	const counter = new Int32Array(init.counter);
	let { version } = init;
	let names = new Set(init.names);
	return {
		includes: async (toolName, signal) => {
			if (Atomics.load(counter, 0) !== version) {
				const news = await ask("list-free-tools", {}, signal);
				version = news.version;
				names = new Set(news.names);
			}
			return names.has(toolName);
		},
	};
}
