// Measures tool calls. For the lead: a subagent's times stay out of the person's chat.

import { CONTINUE } from "./events.ts";
import type { HookManager } from "./hook-manager.ts";

export interface ToolTiming {
	readonly toolName: string;
	readonly calls: number;
	readonly errors: number;
	readonly totalMs: number;
	readonly longestMs: number;
}

export interface TimingHookOptions {
	/** Calls shorter than this are counted but not written, in ms. @default 0 */
	readonly fromMs?: number;
}

/** Writes how long each tool call took and keeps the sums per tool; never changes anything. */
export class TimingHook {
	readonly #write: (line: string) => void;
	readonly #fromMs: number;
	readonly #timings = new Map<string, ToolTiming>();

	constructor(write: (line: string) => void, options: TimingHookOptions = {}) {
		this.#write = write;
		this.#fromMs = options.fromMs ?? 0;
	}

	registerTo(manager: HookManager): void {
		manager.on("PostToolUse", ({ toolName, result }) => {
			this.#count(toolName, result.durationMs, result.isError);
			if (result.durationMs >= this.#fromMs) this.#write(`${toolName} took ${formatDuration(result.durationMs)}`);
			return CONTINUE;
		});
	}

	/** The sums so far, the tool that took longest first. */
	timings(): readonly ToolTiming[] {
		return [...this.#timings.values()].sort((a, b) => b.totalMs - a.totalMs);
	}

	#count(toolName: string, durationMs: number, isError: boolean): void {
		const before = this.#timings.get(toolName);
		this.#timings.set(toolName, {
			toolName,
			calls: (before?.calls ?? 0) + 1,
			errors: (before?.errors ?? 0) + (isError ? 1 : 0),
			totalMs: (before?.totalMs ?? 0) + durationMs,
			longestMs: Math.max(before?.longestMs ?? 0, durationMs),
		});
	}
}

function formatDuration(durationMs: number): string {
	return durationMs < 1_000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1_000).toFixed(1)} s`;
}
