// `ask_user`: an agent's question goes to the person through the host; the agent's clocks stand still meanwhile.

import type { LiveRun } from "../supervision/live-run.ts";
import type { RunSupervisor } from "../supervision/run-supervisor.ts";
import type { RequestParams, RequestResults } from "../wire/requests.ts";
import type { SupervisorOptions } from "./options/options.ts";

export async function askPerson(
	askUser: SupervisorOptions["askUser"],
	supervisor: RunSupervisor,
	run: LiveRun,
	{ question, options }: RequestParams<"ask-user">,
	signal: AbortSignal,
): Promise<RequestResults["ask-user"]> {
	if (!askUser) return { unavailable: "nobody can answer questions here" };
	const goOn = supervisor.pauseClocks(run);
	try {
		const agent = { runId: run.spec.id, name: run.spec.name, type: run.spec.agentType };
		return { answer: await askUser({ question, ...(options ? { options } : {}), agent }, signal) };
	} finally {
		goOn();
	}
}
