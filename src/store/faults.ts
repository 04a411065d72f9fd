// What could not be read, each thing once. The rest is still served.

/** One record or line that was skipped. */
export interface StoreFault {
	/** The table or file, in words for a person. */
	readonly place: string;
	/** The key, or the line number. */
	readonly key: string;
	readonly reason: string;
}

/** Most faults remembered; more of the same are counted only. */
const MAX_FAULTS = 200;

export interface FaultLog {
	report(fault: StoreFault): void;
	list(): readonly StoreFault[];
}

/** @param onFault hears each fault once. */
export function createFaultLog(onFault?: (fault: StoreFault) => void): FaultLog {
	const faults = new Map<string, StoreFault>();
	return {
		report(fault) {
			const id = `${fault.place}\u0000${fault.key}`;
			if (faults.has(id) || faults.size >= MAX_FAULTS) return;
			faults.set(id, fault);
			onFault?.(fault);
		},
		list: () => [...faults.values()],
	};
}
