/** Calls what a program gave. Whatever it throws, or rejects with, goes to `onFailure` and nowhere else. */
export function callGuarded(call: () => unknown, onFailure: (thrown: unknown) => void): void {
	try {
		const result = call();
		// An async function where a plain one was asked for: nobody else would look at how it ends.
		if (result instanceof Promise) result.catch(onFailure);
	} catch (thrown) {
		onFailure(thrown);
	}
}
