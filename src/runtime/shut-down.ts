/** Runs every step in order, also when one before it failed. */
export async function shutDown(
	steps: readonly (readonly [name: string, step: () => Promise<unknown>])[],
	onFailure: (name: string, thrown: unknown) => void,
): Promise<void> {
	for (const [name, step] of steps) {
		try {
			await step();
		} catch (thrown) {
			onFailure(name, thrown);
		}
	}
}

/** Remembers how a step is taken back. */
export type Undo = (name: string, step: () => Promise<unknown>) => void;

/** Builds something in steps; when one fails, those before it are taken back, the last first. */
export async function orLeaveNothing<T>(build: (undo: Undo) => Promise<T>): Promise<T> {
	const done: (readonly [name: string, step: () => Promise<unknown>])[] = [];
	try {
		return await build((name, step) => void done.unshift([name, step]));
	} catch (thrown) {
		// What made it fail is what the caller has to hear of.
		await shutDown(done, () => {});
		throw thrown;
	}
}
