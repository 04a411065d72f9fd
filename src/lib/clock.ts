// The only place that reads the time or sets a timer. Everything else takes a Clock,
// so that tests move time by hand (fakeClock in clowder/testing) and never sleep.

export interface TimerHandle {
	/** Stops the timer; calling it again or after it fired does nothing. */
	cancel(): void;
}

export interface TimerOptions {
	/** Whether a pending timer keeps the process alive. @default false */
	readonly keepAlive?: boolean;
}

export interface Clock {
	/** Milliseconds since the Unix epoch. */
	now(): number;
	/** Milliseconds of a monotonic clock with an arbitrary start. */
	monotonicMs(): number;
	/** Calls back once after `delayMs`. */
	after(delayMs: number, callback: () => void, options?: TimerOptions): TimerHandle;
	/** Calls back every `intervalMs` until cancelled. */
	every(intervalMs: number, callback: () => void, options?: TimerOptions): TimerHandle;
}

// Upstream: a Node timer above 2^31-1 ms fires at once.
const MAX_DELAY_MS = 2_147_483_647;

function startTimer(
	timer: NodeJS.Timeout,
	clear: (timer: NodeJS.Timeout) => void,
	options?: TimerOptions,
): TimerHandle {
	if (!options?.keepAlive) timer.unref();
	return { cancel: () => clear(timer) };
}

export const systemClock: Clock = {
	now: () => Date.now(),
	monotonicMs: () => performance.now(),
	after: (delayMs, callback, options) =>
		startTimer(setTimeout(callback, Math.min(delayMs, MAX_DELAY_MS)), clearTimeout, options),
	every: (intervalMs, callback, options) =>
		startTimer(setInterval(callback, Math.min(intervalMs, MAX_DELAY_MS)), clearInterval, options),
};

/** Calls back once this round of the event loop has done its work: what was set off before has run. */
export function soon(callback: () => void): void {
	setImmediate(callback);
}

/** Waits for work, at most `delayMs`, whether it succeeds or not. Keeps the process alive meanwhile. */
export function atMost(clock: Clock, delayMs: number, work: Promise<unknown>): Promise<void> {
	return new Promise((resolve) => {
		const timer = clock.after(delayMs, resolve, { keepAlive: true });
		const done = () => {
			timer.cancel();
			resolve();
		};
		work.then(done, done);
	});
}

/** Resolves after `delayMs`, or rejects with the signal's reason when it aborts first. */
export function waitFor(clock: Clock, delayMs: number, signal?: AbortSignal, options?: TimerOptions): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
		const onAbort = () => {
			timer.cancel();
			reject(signal?.reason);
		};
		const timer = clock.after(
			delayMs,
			() => {
				signal?.removeEventListener("abort", onAbort);
				resolve();
			},
			options,
		);
		signal?.addEventListener("abort", onAbort, { once: true });
	});
}
