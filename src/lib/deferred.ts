/** A promise with its two ends in the open. Settling it a second time does nothing. */
export interface Deferred<T> {
	readonly promise: Promise<T>;
	readonly settled: boolean;
	resolve(value: T): void;
	reject(reason: unknown): void;
}

// Plain fields, no getter: an object literal with an accessor gets a hidden class of its own each time, and there is a
// deferred in every model call and every question to main.
export function createDeferred<T = void>(): Deferred<T> {
	let resolvePromise!: (value: T) => void;
	let rejectPromise!: (reason: unknown) => void;
	const promise = new Promise<T>((resolve, reject) => {
		resolvePromise = resolve;
		rejectPromise = reject;
	});
	const deferred = {
		promise,
		settled: false,
		resolve(value: T) {
			deferred.settled = true;
			resolvePromise(value);
		},
		reject(reason: unknown) {
			deferred.settled = true;
			rejectPromise(reason);
		},
	};
	return deferred;
}
