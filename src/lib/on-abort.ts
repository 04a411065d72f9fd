// One listener per signal, however many wait for it. A native one costs several times as much, and a turn of an agent
// would add and remove half a dozen of them.

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls back when `signal` aborts, unless the returned function is called before. For a signal that has not aborted. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const callbacks = waiting.get(signal) ?? follow(signal);
	callbacks.add(callback);
	return () => void callbacks.delete(callback);
}

function follow(signal: AbortSignal): Set<() => void> {
	const callbacks = new Set<() => void>();
	waiting.set(signal, callbacks);
	signal.addEventListener(
		"abort",
		() => {
			for (const callback of callbacks) callback();
			callbacks.clear();
		},
		{ once: true },
	);
	return callbacks;
}
