// The last line: when the process leaves by any path that still runs JavaScript, no child process of an agent stays.

import { type ProcessLedger, signalProcessGroup } from "../supervision/process-ledger.ts";

const guarded = new Set<ProcessLedger>();

function endAllGroups(): void {
	for (const ledger of guarded) {
		for (const pgid of ledger.allGroups()) signalProcessGroup(pgid, "SIGKILL");
	}
}

/** Guards a ledger's processes until the returned function is called. */
export function guardExit(ledger: ProcessLedger): () => void {
	if (guarded.size === 0) process.on("exit", endAllGroups);
	guarded.add(ledger);
	return () => {
		guarded.delete(ledger);
		if (guarded.size === 0) process.off("exit", endAllGroups);
	};
}
