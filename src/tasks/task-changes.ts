// Tells that the board has changed, whoever changed it. Changes of this process are told at once; those of
// others are found by looking at a counter that every change raises, a few times a second: one read of memory
// that is shared anyway. A file watcher would fire for every write into the store, and not on every platform.

import type { Clock, TimerHandle } from "../lib/clock.ts";
import { createEmitter, type Unsubscribe } from "../lib/emitter.ts";

export interface TaskChanges {
	/** Hears that something changed; `version` grows with each change. Read the board anew: changes may be merged. */
	onChange(listener: (version: number) => void): Unsubscribe;
	/** A change of this process is durable. */
	noteOwn(version: number): void;
	start(): void;
	stop(): void;
}

export interface TaskChangesOptions {
	readonly clock: Clock;
	readonly pollMs: number;
	readVersion(): number;
	onListenerError(thrown: unknown): void;
}

export function createTaskChanges({ clock, pollMs, readVersion, onListenerError }: TaskChangesOptions): TaskChanges {
	const emitter = createEmitter<{ change: number }>(onListenerError);
	let seen = readVersion();
	let timer: TimerHandle | undefined;

	function note(version: number): void {
		if (version <= seen) return;
		seen = version;
		emitter.emit("change", version);
	}

	return {
		onChange: (listener) => emitter.on("change", listener),
		noteOwn: note,
		start() {
			timer ??= clock.every(pollMs, () => note(readVersion()));
		},
		stop() {
			timer?.cancel();
			timer = undefined;
			emitter.removeAll();
		},
	};
}
