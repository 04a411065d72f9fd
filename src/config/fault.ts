// What is wrong with a file somebody wrote. Reading never throws for it: the fault is reported once
// and everything else still loads. Where it may have lost what was forbidden, nothing runs without being asked about.

/** One thing in one file that could not be used. */
export interface ConfigFault {
	/** Absolute path of the file, or the flag it stands for (`--agents`). */
	readonly path: string;
	/** Line of the file, from 1, where it is known. */
	readonly line?: number;
	/** What is wrong and what would be right, in one sentence without a full stop. */
	readonly reason: string;
	/** What somebody has forbidden may be lost with it. `flag` where the command line names it, which stops the start. */
	readonly mayLoseBans?: "flag" | "file";
}

/** The fault as one line for people: `PATH:LINE: reason`. */
export function formatFault(fault: ConfigFault): string {
	return fault.line === undefined ? `${fault.path}: ${fault.reason}` : `${fault.path}:${fault.line}: ${fault.reason}`;
}

/** Passes each distinct fault on once, however often its file is loaded again. */
export function reportOnce(report: (fault: ConfigFault) => void): (faults: readonly ConfigFault[]) => void {
	const seen = new Set<string>();
	return (faults) => {
		for (const fault of faults) {
			const line = formatFault(fault);
			if (seen.has(line)) continue;
			seen.add(line);
			report(fault);
		}
	};
}
