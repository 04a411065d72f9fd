// A supervisor for one piece of work without a person: ends with it, or in order with the first signal, or at once with
// the second one.

import { assembleSupervisor } from "../runtime/assemble-supervisor.ts";
import type { SupervisorOptions } from "../runtime/options/options.ts";
import type { Supervisor } from "../runtime/supervisor.ts";
import { noteStuckThreads } from "./exit.ts";
import { onSignals, SIGNAL_EXIT } from "./signals.ts";

/** Answers the work's exit code, or that of the signal that ended it. What the work throws then is of no interest. */
export async function withSupervisor(
	options: SupervisorOptions,
	work: (supervisor: Supervisor, isSignalled: () => boolean) => Promise<number>,
): Promise<number> {
	// No threads in advance: the work may come without subagents, and until it has begun they would share its cores.
	const supervisor = await assembleSupervisor({ warmThreads: 0, ...options });
	let signalled: number | undefined;
	const offSignals = onSignals((signal, count) => {
		signalled ??= SIGNAL_EXIT[signal];
		if (count > 1) process.exit(signalled);
		void supervisor.close(`stopped by ${signal}`);
	});
	try {
		const code = await work(supervisor, () => signalled !== undefined);
		return signalled ?? code;
	} catch (thrown) {
		if (signalled !== undefined) return signalled;
		throw thrown;
	} finally {
		await supervisor.close();
		if (supervisor.status().lostThreads > 0) noteStuckThreads();
		offSignals();
	}
}
