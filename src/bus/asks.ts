// Questions that wait for their answer. An answer is an envelope from the asked address to the asker with the
// question's correlation id; it goes to whoever asked and into no mailbox.

import { ClowderError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { createDeferred } from "../lib/deferred.ts";
import type { Envelope } from "../wire/envelope.ts";

export interface Question {
	readonly from: string;
	readonly to: string;
	readonly correlationId: string;
}

export interface AskOptions {
	/** Longest wait for the answer, in ms. */
	readonly deadlineMs: number;
	readonly signal?: AbortSignal | undefined;
}

interface PendingAsk {
	readonly question: Question;
	answer(envelope: Envelope): void;
	fail(error: unknown): void;
}

export class Asks {
	readonly #clock: Clock;
	readonly #limit: number;
	readonly #pending = new Map<string, PendingAsk>();

	constructor(clock: Clock, limit: number) {
		this.#clock = clock;
		this.#limit = limit;
	}

	get size(): number {
		return this.#pending.size;
	}

	/**
	 * Waits for the answer to a question.
	 *
	 * @returns the answer; rejects with ERR_TIMEOUT, ERR_ABORTED, or what `fail` and `failWhere` give.
	 * @throws ClowderError, at once: ERR_ABORTED, ERR_BAD_INPUT for a correlation id that waits already,
	 * ERR_MAILBOX_FULL when too many questions wait. It must not be sent then.
	 */
	wait(question: Question, { deadlineMs, signal }: AskOptions): Promise<Envelope> {
		const key = keyOf(question);
		if (signal?.aborted) throw aborted(question, signal);
		if (this.#pending.has(key)) {
			const text = `A question to '${question.to}' with the correlation id '${question.correlationId}' waits already`;
			throw new ClowderError("ERR_BAD_INPUT", text);
		}
		if (this.#pending.size >= this.#limit) {
			const text = `${this.#limit} questions wait for their answers`;
			throw new ClowderError("ERR_MAILBOX_FULL", text, { remedy: "Ask fewer at once" });
		}
		const { promise, resolve, reject } = createDeferred<Envelope>();
		const onAbort = () => fail(aborted(question, signal));
		const timer = this.#clock.after(deadlineMs, () => fail(timedOut(question, deadlineMs)), { keepAlive: true });
		const end = () => {
			timer.cancel();
			signal?.removeEventListener("abort", onAbort);
			this.#pending.delete(key);
		};
		const fail = (error: unknown) => {
			end();
			reject(error);
		};
		const answer = (envelope: Envelope) => {
			end();
			resolve(envelope);
		};
		signal?.addEventListener("abort", onAbort, { once: true });
		this.#pending.set(key, { question, answer, fail });
		return promise;
	}

	/** The open question that an envelope with these ends answers. */
	find(envelope: { readonly from: string; readonly to: string; readonly correlationId?: string | undefined }) {
		if (envelope.correlationId === undefined) return undefined;
		return this.#pending.get(keyOf({ from: envelope.to, to: envelope.from, correlationId: envelope.correlationId }));
	}

	fail(question: Question, error: unknown): void {
		this.#pending.get(keyOf(question))?.fail(error);
	}

	failWhere(isMeant: (question: Question) => boolean, error: (question: Question) => Error): void {
		for (const ask of [...this.#pending.values()]) {
			if (isMeant(ask.question)) ask.fail(error(ask.question));
		}
	}
}

const keyOf = ({ from, to, correlationId }: Question) => JSON.stringify([from, to, correlationId]);

const detailsOf = (question: Question) => ({ ...question });

function timedOut(question: Question, deadlineMs: number): ClowderError {
	return new ClowderError("ERR_TIMEOUT", `'${question.to}' did not answer '${question.from}' in ${deadlineMs} ms`, {
		details: detailsOf(question),
	});
}

function aborted(question: Question, signal: AbortSignal | undefined): ClowderError {
	return new ClowderError("ERR_ABORTED", `'${question.from}' no longer waits for the answer of '${question.to}'`, {
		details: detailsOf(question),
		cause: signal?.reason,
	});
}
