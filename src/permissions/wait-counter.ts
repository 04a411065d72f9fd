// How many questions each agent has open; tells only the first and the last of them.

export interface WaitCounter {
	start(runId: string): void;
	stop(runId: string): void;
}

export function createWaitCounter(onChange: (runId: string, waiting: boolean) => void): WaitCounter {
	const open = new Map<string, number>();
	return {
		start(runId) {
			const count = open.get(runId) ?? 0;
			open.set(runId, count + 1);
			if (count === 0) onChange(runId, true);
		},
		stop(runId) {
			const count = (open.get(runId) ?? 0) - 1;
			if (count > 0) return void open.set(runId, count);
			open.delete(runId);
			onChange(runId, false);
		},
	};
}
