// `ask_user`: an agent's question goes to the person through the host; the agent's clocks stand still meanwhile.

import { messageOf } from "../errors.ts";
import { shown } from "../lib/shown.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { RunSupervisor } from "../supervision/run-supervisor.ts";
import type { RequestParams, RequestResults } from "../wire/requests.ts";
import type { ResolvedOptions } from "./options/options.ts";

type Answer = RequestResults["ask-user"];

export async function askPerson(
	{ askUser, onWarning }: Pick<ResolvedOptions, "askUser" | "onWarning">,
	supervisor: RunSupervisor,
	run: LiveRun,
	{ question, options }: RequestParams<"ask-user">,
	signal: AbortSignal,
): Promise<Answer> {
	if (!askUser) return { unavailable: "nobody can answer questions here" };
	const failed = (why: string): Answer => {
		onWarning(`A question of ${run.spec.id} was not answered: ${why}`);
		return { unavailable: why };
	};
	const goOn = supervisor.pauseClocks(run);
	try {
		const agent = { runId: run.spec.id, name: run.spec.name, type: run.spec.agentType };
		const answer: unknown = await askUser({ question, ...(options ? { options } : {}), agent }, signal);
		return typeof answer === "string" ? { answer } : failed(`askUser must answer a text, not ${shown(answer)}`);
	} catch (thrown) {
		if (signal.aborted) throw thrown;
		return failed(`askUser failed: ${messageOf(thrown)}`);
	} finally {
		goOn();
	}
}
