// Ties the team to the runs, the mail and the conversations: what a teammate's thread needs, and who its lead is.

import type { MessageBus } from "../../bus/contract.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Unsubscribe } from "../../lib/emitter.ts";
import type { Store } from "../../store/store.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { RunSupervisor } from "../../supervision/run-supervisor.ts";
import type { TaskBoard } from "../../tasks/task-board.ts";
import { openMemberTable } from "../../teams/member-table.ts";
import { createTeam, type Team } from "../../teams/team.ts";
import type { Isolation } from "../agents/isolation.ts";
import type { Profiles } from "../agents/profiles.ts";
import type { RunNotes } from "../agents/run-notes.ts";
import type { ResolvedOptions } from "../options/options.ts";
import type { Journal } from "../sessions/journal.ts";
import type { Mail } from "./mail.ts";

/** What is built after the rooms. */
export interface TeamSurroundings {
	readonly supervisor: RunSupervisor;
	readonly mail: Mail;
	readonly journal: Journal;
	readonly profiles: Profiles;
	readonly notes: RunNotes;
	readonly isolation: Isolation;
	idleHook(run: LiveRun): Promise<string | undefined>;
}

/** Whether agents work beside a lead. */
export interface TeamWork {
	readonly atRest: boolean;
	onMoved(listener: () => void): Unsubscribe;
}

export interface TeamRoomParts {
	readonly options: Pick<ResolvedOptions, "team" | "limits" | "maxDepth" | "onWarning">;
	readonly store: Store;
	readonly clock: Clock;
	readonly sessionId: string;
	readonly bus: MessageBus;
	readonly board: TaskBoard;
	surroundings(): TeamSurroundings;
}

export function createTeamRoom({ options, surroundings, store, ...parts }: TeamRoomParts): Team {
	return createTeam({
		...parts,
		table: openMemberTable(store),
		options: options.team,
		supervisor: () => surroundings().supervisor,
		lead: () => leadOf(surroundings().supervisor.live())?.spec.name,
		checkType: (agentType) => {
			const { profiles } = surroundings();
			const definition = profiles.definition(agentType);
			profiles.get({ definition, role: "teammate", mayDelegate: options.maxDepth > 0 });
			return definition;
		},
		limitsFor: (definition) => {
			// A teammate stays until it is shut down; what bounds it is each prompt's turns and the budget.
			const { wallMs: _, ...limits } = { ...options.limits, ...definition.limits };
			return limits;
		},
		prepareRun: async ({ runId, model, agentType, ...member }) => {
			const { notes, isolation, profiles } = surroundings();
			const wanted = member.isolation ?? profiles.definition(agentType).isolation;
			const isolated = wanted === undefined ? {} : { isolation: await isolation.check(wanted) };
			notes.note(runId, { ...(model === undefined ? {} : { model }), ...isolated });
		},
		retire: async ({ name }) => {
			const { kept, path, branch } = (await surroundings().isolation.retireTeammate(name)) ?? { kept: false };
			if (kept) options.onWarning(`Worktree kept: ${path} (branch ${branch}), of the teammate ${name}`);
		},
		openMailbox: (name) => surroundings().mail.openAddress(name),
		closeMailbox: (name) => surroundings().mail.closeAddress(name),
		emptyConversation: (name) => surroundings().journal.empty(name, []),
		readConversation: async (name) => (await surroundings().journal.load(name)).messagesJson,
		hasMail: (run) => surroundings().mail.waitsFor(run),
		idleHook: (run) => surroundings().idleHook(run),
		onWarning: options.onWarning,
	});
}

/** The lead that was started first. */
export function leadOf(runs: readonly LiveRun[]): LiveRun | undefined {
	return runs.find(({ spec }) => spec.kind === "lead");
}
