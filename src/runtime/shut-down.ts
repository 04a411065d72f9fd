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
