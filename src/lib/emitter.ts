// Typed events inside one thread; the only importer of eventemitter3.
// A listener that throws or rejects never reaches the emitter: it goes to the guard given at creation.

import { EventEmitter } from "eventemitter3";
import { callGuarded } from "./call-guarded.ts";

export type Unsubscribe = () => void;

export interface Emitter<Events extends object> {
	on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): Unsubscribe;
	emit<Name extends keyof Events>(name: Name, event: Events[Name]): void;
	listenerCount(name: keyof Events): number;
	removeAll(): void;
}

/** Builds an emitter. `onListenerError` receives what a listener throws. */
export function createEmitter<Events extends object>(onListenerError: (thrown: unknown) => void): Emitter<Events> {
	const inner = new EventEmitter();
	const key = (name: keyof Events) => name as string;
	return {
		on(name, listener) {
			const guarded = (event: Events[typeof name]) => callGuarded(() => listener(event), onListenerError);
			inner.on(key(name), guarded);
			return () => inner.off(key(name), guarded);
		},
		emit: (name, event) => void inner.emit(key(name), event),
		listenerCount: (name) => inner.listenerCount(key(name)),
		removeAll: () => void inner.removeAllListeners(),
	};
}
