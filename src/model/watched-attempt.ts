// One attempt under watch. It ends when the provider answers, when nothing arrives for too long, or when the
// call is cancelled: whichever is first, also if the provider does not react to its signal.

import { ClowderError, isClowderError, messageOf } from "../errors.ts";
import type { Clock, TimerHandle } from "../lib/clock.ts";
import { createDeferred } from "../lib/deferred.ts";
import { NO_USAGE, type Usage } from "../wire/conversation.ts";
import type { ModelRequest } from "../wire/model-call.ts";
import { cancelledError } from "./cancelled.ts";
import type { AttemptReply, ModelProvider } from "./provider.ts";

export interface AttemptOptions {
	readonly clock: Clock;
	/** Longest silence, in ms. */
	readonly idleTimeoutMs: number;
	readonly signal: AbortSignal;
	onText(text: string): void;
}

export type AttemptOutcome =
	| { readonly kind: "replied"; readonly reply: AttemptReply }
	/** `usage`: what was used all the same. */
	| { readonly kind: "failed"; readonly error: ClowderError; readonly usage: Usage };

/** Makes one attempt; never rejects. */
export async function makeWatchedAttempt(
	provider: ModelProvider,
	request: ModelRequest,
	options: AttemptOptions,
): Promise<AttemptOutcome> {
	const controller = new AbortController();
	const end = createDeferred<AttemptOutcome>();
	let usage = NO_USAGE;

	// Invariant: after the end nothing of this attempt reaches the call, whatever the provider still does.
	function fail(error: ClowderError): void {
		end.resolve({ kind: "failed", error, usage });
		controller.abort(error);
	}
	const watchdog = startWatchdog(options.clock, options.idleTimeoutMs, () => fail(stalled(options.idleTimeoutMs)));
	const onCancel = () => fail(cancelledError());
	if (options.signal.aborted) onCancel();
	else options.signal.addEventListener("abort", onCancel, { once: true });

	provide(provider, request, {
		signal: controller.signal,
		onText: (text) => {
			watchdog.feed();
			if (!end.settled) options.onText(text);
		},
		onActivity: () => watchdog.feed(),
		onUsage: (reported) => {
			usage = reported;
		},
	}).then(
		(reply) => end.resolve({ kind: "replied", reply }),
		(thrown) => end.resolve({ kind: "failed", error: toClowderError(thrown), usage }),
	);

	try {
		return await end.promise;
	} finally {
		watchdog.stop();
		options.signal.removeEventListener("abort", onCancel);
	}
}

// A provider that throws before its first await fails like any other.
async function provide(...[provider, request, hooks]: [ModelProvider, ...Parameters<ModelProvider["attempt"]>]) {
	return provider.attempt(request, hooks);
}

interface Watchdog {
	feed(): void;
	stop(): void;
}

// Feeding is one assignment; the timer looks at it only when it fires.
function startWatchdog(clock: Clock, idleTimeoutMs: number, onIdle: () => void): Watchdog {
	let lastFedMs = clock.monotonicMs();
	let timer: TimerHandle = clock.after(idleTimeoutMs, check);
	function check(): void {
		const leftMs = lastFedMs + idleTimeoutMs - clock.monotonicMs();
		if (leftMs <= 0) onIdle();
		else timer = clock.after(leftMs, check);
	}
	return {
		feed: () => {
			lastFedMs = clock.monotonicMs();
		},
		stop: () => timer.cancel(),
	};
}

function stalled(idleTimeoutMs: number): ClowderError {
	return new ClowderError("ERR_MODEL_STALLED", `Nothing arrived from the model for ${idleTimeoutMs / 1000} s`, {
		remedy: "Try again later, or allow a longer silence",
	});
}

function toClowderError(thrown: unknown): ClowderError {
	if (isClowderError(thrown)) return thrown;
	return new ClowderError("ERR_MODEL_SERVER", `The model provider failed unexpectedly: ${messageOf(thrown)}`, {
		details: { retryable: false },
		cause: thrown,
	});
}
