// Text on its way to one agent: many small pieces come in, few messages go out, and never more than the
// receiver has given credit for. A port has no back-pressure of its own.

import type { Clock, TimerHandle } from "../lib/clock.ts";
import { INITIAL_CREDIT } from "../wire/model-call.ts";

const FLUSH_MS = 30;
const FLUSH_CHARACTERS = 4_096;

export interface DeltaFlow {
	push(text: string): void;
	/** Allows `credit` more messages. */
	grant(credit: number): void;
	/** Forgets what has not been sent: the stream is tried again. */
	discard(): void;
	/** Sends the rest, with or without credit, and stops: one last message that the call's end follows. */
	finish(): void;
	/** Stops and sends nothing more. */
	stop(): void;
}

/**
 * Builds the flow of one call.
 *
 * **Ordering**: the messages joined are the text pushed. Without credit text is merged, so that at most one
 * message waits; its length is bounded by the reply's own.
 */
export function createDeltaFlow(clock: Clock, send: (text: string) => void): DeltaFlow {
	let waiting = "";
	let credit = INITIAL_CREDIT;
	let timer: TimerHandle | undefined;
	let isStopped = false;

	function flush(): void {
		timer?.cancel();
		timer = undefined;
		if (waiting === "") return;
		const text = waiting;
		waiting = "";
		credit -= 1;
		send(text);
	}

	// Without credit no timer runs: the next grant looks again.
	function flushWhenDue(): void {
		if (credit <= 0 || waiting === "") return;
		if (waiting.length >= FLUSH_CHARACTERS) flush();
		else timer ??= clock.after(FLUSH_MS, flush);
	}

	return {
		push(text) {
			if (isStopped) return;
			waiting += text;
			flushWhenDue();
		},
		grant(more) {
			if (isStopped) return;
			credit += more;
			flushWhenDue();
		},
		discard() {
			timer?.cancel();
			timer = undefined;
			waiting = "";
		},
		finish() {
			if (!isStopped) flush();
			isStopped = true;
		},
		stop() {
			isStopped = true;
			timer?.cancel();
			waiting = "";
		},
	};
}
