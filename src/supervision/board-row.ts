// The agent's side of the status board: the meters of its own row. Runs in agent threads; loads nothing.

import type { ModelReply } from "../wire/model-call.ts";
import { PHASES, type Phase, WORD } from "./status-board.ts";

/** Writes one agent's meters. Cheap enough to call on every event: one atomic store or add each. */
export class BoardRow {
	readonly #words: Int32Array;

	/** @param buffer the row's own. */
	constructor(buffer: SharedArrayBuffer) {
		this.#words = new Int32Array(buffer);
	}

	/** The event loop turned; `memory` in bytes. */
	heartbeat(memory: { readonly heapBytes: number; readonly externalBytes: number }): void {
		this.#set(WORD.heapKb, memory.heapBytes / 1024);
		this.#set(WORD.externalKb, memory.externalBytes / 1024);
		this.#add(WORD.heartbeat, 1);
	}

	started(threadId: number): void {
		this.#set(WORD.threadId, threadId);
		this.#add(WORD.heartbeat, 1);
		this.touch();
	}

	phase(phase: Phase): void {
		this.#set(WORD.phase, PHASES.indexOf(phase));
		this.touch();
	}

	/** Something moved: the idle deadline starts anew. */
	touch(): void {
		this.#add(WORD.activity, 1);
	}

	turn(): void {
		this.#add(WORD.turns, 1);
	}

	toolCall(): void {
		this.#add(WORD.toolCalls, 1);
	}

	reply({ usage, costUsd, durationMs }: Pick<ModelReply, "usage" | "costUsd" | "durationMs">): void {
		this.#add(WORD.inputTokens, usage.inputTokens);
		this.#add(WORD.outputTokens, usage.outputTokens);
		this.#add(WORD.cacheReadTokens, usage.cacheReadTokens);
		this.#add(WORD.cacheWriteTokens, usage.cacheWriteTokens);
		this.#add(WORD.costMicroUsd, Math.round(costUsd * 1e6));
		this.#add(WORD.modelMs, Math.round(durationMs));
		this.#set(
			WORD.contextTokens,
			usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens,
		);
		this.touch();
	}

	#add(word: number, amount: number): void {
		Atomics.add(this.#words, word, amount);
	}

	#set(word: number, value: number): void {
		Atomics.store(this.#words, word, value);
	}
}
