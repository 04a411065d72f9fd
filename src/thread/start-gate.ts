// Lets only so many threads start at the same moment: a storm of cold starts stalls the main thread for seconds.

export interface StartGate {
	/** Runs `start` when there is room; its place is free again once `started` settles. */
	enter(started: Promise<void>, start: () => Promise<void>): Promise<void>;
}

export function createStartGate(limit: number): StartGate {
	const waiting: (() => void)[] = [];
	let inside = 0;

	function leave(): void {
		inside -= 1;
		waiting.shift()?.();
	}

	return {
		enter: async (started, start) => {
			if (inside >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
			inside += 1;
			void started.then(leave);
			await start();
		},
	};
}
