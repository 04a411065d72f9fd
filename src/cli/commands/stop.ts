// `/stop`: ends one subagent with all below it, or all of them.

import type { LiveRunStatus } from "../../runtime/status.ts";
import type { Supervisor } from "../../runtime/supervisor.ts";

export const STOP_USAGE = "Usage: /stop ID | /stop all. /agents lists the running subagents.";

/** The subagents that have not ended, by what they may be called. */
export function stoppable(runs: readonly LiveRunStatus[]): readonly LiveRunStatus[] {
	return runs.filter(({ kind }) => kind === "subagent");
}

export async function runStop(
	wanted: string,
	supervisor: Pick<Supervisor, "status" | "stop" | "team">,
): Promise<string> {
	const live = stoppable(supervisor.status().runs);
	if (wanted === "") return live.length === 0 ? `No subagents are running. ${STOP_USAGE}` : STOP_USAGE;
	if (supervisor.team.list().some(({ name }) => name === wanted)) {
		return `'${wanted}' is a teammate: /team stop ${wanted} asks it to shut down.`;
	}
	const matches = wanted === "all" ? live : matching(wanted, live);
	if (matches.length === 0) return `No running subagent is called '${wanted}'. ${STOP_USAGE}`;
	if (matches.length > 1 && wanted !== "all") {
		return [`${matches.length} subagents are called '${wanted}':`, ...matches.map(describe)].join("\n");
	}
	const stopped = await Promise.all(matches.map(({ id }) => supervisor.stop(id, "stopped by the user")));
	const count = new Set(stopped.flatMap((each) => each.stopped)).size;
	return count === 0 ? "It has ended by itself." : `Stopped: ${count} ${count === 1 ? "subagent" : "subagents"}.`;
}

const describe = ({ id, description }: LiveRunStatus) => `  ${id}  ${description}`;

/** By id or its beginning, with or without `task_`; by name; by description. */
function matching(wanted: string, live: readonly LiveRunStatus[]): readonly LiveRunStatus[] {
	const exact = live.filter(({ id }) => id === wanted);
	if (exact.length > 0) return exact;
	const named = live.filter(({ name, description }) => name === wanted || description === wanted);
	if (named.length > 0) return named;
	return wanted.length < 4 ? [] : live.filter(({ id }) => id.startsWith(wanted) || id.startsWith(`task_${wanted}`));
}
