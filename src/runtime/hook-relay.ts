// A person's own hooks on main: agents ask, this runs the commands with the facts of the agent that asked.

import { createUserHooks } from "../hooks/user-hooks.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { HooksResult, RequestParams } from "../wire/requests.ts";
import type { RunFolder } from "./isolation.ts";
import type { ResolvedOptions } from "./options.ts";
import type { Permissions } from "./permissions.ts";
import type { Project } from "./project.ts";

export interface HookRelayParts {
	readonly project: Pick<Project, "hooks" | "env">;
	readonly options: ResolvedOptions;
	readonly sessionId: string;
	readonly transcriptPath: string;
	readonly permissions: Pick<Permissions, "mode">;
	/** Where a run works. */
	folderOf(run: LiveRun): RunFolder;
}

export interface HookRelay {
	/** Events for which agents have to ask. */
	readonly events: readonly string[];
	run(run: LiveRun, request: RequestParams<"run-hooks">, signal: AbortSignal): Promise<HooksResult>;
}

export function createHookRelay({
	project,
	options,
	sessionId,
	transcriptPath,
	permissions,
	folderOf,
}: HookRelayParts): HookRelay {
	const hooks = createUserHooks({
		hooks: project.hooks,
		projectDir: options.cwd,
		env: project.env,
		session: { sessionId, transcriptPath },
		clock: options.clock,
		onWarning: options.onWarning,
	});
	return {
		events: hooks.events,
		run: (run, { event, payload }, signal) =>
			hooks.run(
				event,
				payload,
				{
					cwd: folderOf(run).cwd,
					permissionMode: permissions.mode,
					...(run.spec.kind === "lead" ? {} : { agentId: run.spec.id, agentType: run.spec.agentType }),
				},
				signal,
			),
	};
}
