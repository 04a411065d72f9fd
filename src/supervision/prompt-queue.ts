// The prompts of one agent, one at a time, first in first out. Main decides when an agent works: a person's
// prompt, or a wake-up because mail waits. Level-triggered: after every finished prompt the owner looks again
// at whether mail is waiting, so no wake-up can be lost between two messages that cross.

import { createDeferred, type Deferred } from "../lib/deferred.ts";
import type { AgentCommand } from "../wire/control.ts";
import type { RunOutcome } from "../wire/run.ts";

type StartPrompt = Extract<AgentCommand, { type: "start-prompt" }>;

interface QueuedPrompt {
	readonly promptId: string;
	/** Absent for a wake-up: the agent reads its mail. */
	readonly text: string | undefined;
	readonly compactFocus: string | undefined;
	readonly finished: Deferred<RunOutcome>;
}

export class PromptQueue {
	readonly #post: (command: StartPrompt) => void;
	readonly #waiting: QueuedPrompt[] = [];
	#current: QueuedPrompt | undefined;
	#count = 0;
	#opened = false;
	#closed: RunOutcome | undefined;

	constructor(post: (command: StartPrompt) => void) {
		this.#post = post;
	}

	/** An agent works on a prompt, or one is waiting. */
	get busy(): boolean {
		return this.#current !== undefined || this.#waiting.length > 0;
	}

	/** The agent has a thread now that reads commands. */
	open(): void {
		this.#opened = true;
		this.#startNext();
	}

	/** Queues a prompt. Resolves with how it ended; with the run's own end when that comes first. Never rejects. */
	enqueue(text: string | undefined, compactFocus?: string): Promise<RunOutcome> {
		if (this.#closed) return Promise.resolve(this.#closed);
		this.#count += 1;
		const promptId = `prompt-${this.#count}`;
		const prompt = { promptId, text, compactFocus, finished: createDeferred<RunOutcome>() };
		this.#waiting.push(prompt);
		this.#startNext();
		return prompt.finished.promise;
	}

	/** The agent's report. False for a prompt that is not the current one (a forged or late report). */
	finish(promptId: string, outcome: RunOutcome): boolean {
		if (this.#current?.promptId !== promptId) return false;
		const { finished } = this.#current;
		this.#current = undefined;
		finished.resolve(outcome);
		this.#startNext();
		return true;
	}

	/** The run has ended: every prompt, started or not, ends with it. */
	close(outcome: RunOutcome): void {
		this.#closed = outcome;
		const open = this.#current ? [this.#current, ...this.#waiting] : this.#waiting;
		this.#current = undefined;
		for (const prompt of open.splice(0)) prompt.finished.resolve(outcome);
	}

	#startNext(): void {
		if (!this.#opened || this.#current || this.#closed) return;
		this.#current = this.#waiting.shift();
		if (!this.#current) return;
		const { promptId, text, compactFocus } = this.#current;
		this.#post({
			type: "start-prompt",
			promptId,
			...(text === undefined ? {} : { text }),
			...(compactFocus === undefined ? {} : { compactFocus }),
		});
	}
}
