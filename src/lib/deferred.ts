/** A promise with its two ends in the open. Settling it a second time does nothing. */
export interface Deferred<T> {
	readonly promise: Promise<T>;
	readonly settled: boolean;
	resolve(value: T): void;
	reject(reason: unknown): void;
}

export function createDeferred<T = void>(): Deferred<T> {
	let settled = false;
	let resolvePromise!: (value: T) => void;
	let rejectPromise!: (reason: unknown) => void;
	const promise = new Promise<T>((resolve, reject) => {
		resolvePromise = resolve;
		rejectPromise = reject;
	});
	return {
		promise,
		get settled() {
			return settled;
		},
		resolve(value) {
			settled = true;
			resolvePromise(value);
		},
		reject(reason) {
			settled = true;
			rejectPromise(reason);
		},
	};
}
