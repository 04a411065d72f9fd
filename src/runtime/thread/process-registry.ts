// The tools' way to record child processes, over the shared process ledger.

import { ProcessLedger, signalProcessGroup } from "../../supervision/process-ledger.ts";
import { runMarker } from "../../supervision/run-marker.ts";
import type { ProcessRegistry } from "../../tools/process-registry.ts";
import type { AgentInit } from "../../wire/control.ts";

export function createProcessRegistry({ processes, board, runId }: AgentInit): ProcessRegistry {
	const ledger = new ProcessLedger({ buffer: processes });
	return {
		marker: runMarker(runId),
		add: (pid) => {
			if (ledger.add(board, pid)) return;
			// Nobody could end what is not recorded.
			signalProcessGroup(pid, "SIGKILL");
			throw new Error("too many child processes at once");
		},
		remove: (pid) => ledger.remove(board, pid),
	};
}
