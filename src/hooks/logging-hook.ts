// Writes one line per tool call and result. The only hook a subagent has by default.

import type { HookManager } from "./hook-manager.ts";

const MAX_PREVIEW_CHARS = 200;

/** Logs what an agent's tools are called with and how they end; never changes anything. */
export class LoggingHook {
	readonly #write: (line: string) => void;

	constructor(write: (line: string) => void) {
		this.#write = write;
	}

	registerTo(manager: HookManager): void {
		manager.observe("PreToolUse", ({ toolName, input }) => {
			this.#write(`${toolName} called: ${preview(input)}`);
		});
		manager.observe("PostToolUse", ({ toolName, result }) => {
			const end = result.isError ? "failed" : "done";
			this.#write(`${toolName} ${end}: ${preview(result.content)}`);
		});
	}
}

// One line, however long or wild the value is.
function preview(value: unknown): string {
	const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
	// Order: cut first, so that a result of many megabytes is not searched for blanks.
	const line = text
		.slice(0, 4 * MAX_PREVIEW_CHARS)
		.replace(/[\s\p{Cc}]+/gu, " ")
		.trim();
	const cut = line.length > MAX_PREVIEW_CHARS || text.length > 4 * MAX_PREVIEW_CHARS;
	return cut ? `${line.slice(0, MAX_PREVIEW_CHARS)}… (${text.length} characters)` : line;
}
