// The public face over its parts: what a program calls is checked here, and done elsewhere.

import type { MessageBus } from "../bus/contract.ts";
import type { AgentDefinition } from "../config/agent-definition.ts";
import { ClowderError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import type { BudgetLedger } from "../supervision/budget-ledger.ts";
import type { RunSupervisor } from "../supervision/run-supervisor.ts";
import type { StatusBoard } from "../supervision/status-board.ts";
import type { ModelConfig } from "../wire/model-config.ts";
import type { RunRecord } from "../wire/run.ts";
import { type Profiles, profileOfRun } from "./agents/profiles.ts";
import type { RunNotes } from "./agents/run-notes.ts";
import { createLeadStarter } from "./agents/start-lead.ts";
import { createSpawn } from "./agents/start-subagent.ts";
import { examine } from "./doctor.ts";
import type { HookMoments } from "./hooks/hook-moments.ts";
import type { LeadSession } from "./hooks/lead-session.ts";
import { listHooks } from "./hooks/list-hooks.ts";
import { checkCall, checkListener } from "./options/call-inputs.ts";
import type { ResolvedOptions } from "./options/options.ts";
import type { PriceCheck } from "./options/price-caps.ts";
import type { Permissions } from "./permissions/permissions.ts";
import type { Project } from "./project.ts";
import {
	checkEvent,
	checkedId,
	checkedPermissions,
	checkedSchedules,
	checkedTasks,
	checkedTeam,
} from "./rooms/checked-hands.ts";
import type { Mail } from "./rooms/mail.ts";
import type { Rooms } from "./rooms/rooms.ts";
import { listSessions } from "./sessions/find-session.ts";
import { readRuns } from "./sessions/read-runs.ts";
import { readStatus } from "./status.ts";
import type { Supervisor } from "./supervisor.ts";
import { addTotals, treeTotals } from "./totals.ts";
import { createExpandPrompt } from "./typed/expand-prompt.ts";
import { createTypedCalls } from "./typed/typed-calls.ts";
import { typedCommands } from "./typed/typed-commands.ts";

export interface FacadeParts {
	readonly supervisor: RunSupervisor;
	readonly board: StatusBoard;
	readonly budget: BudgetLedger;
	readonly bus: MessageBus;
	readonly store: Store;
	readonly mail: Mail;
	readonly notes: RunNotes;
	readonly profiles: Profiles;
	readonly permissions: Permissions;
	readonly rooms: Rooms;
	readonly moments: HookMoments;
	readonly options: ResolvedOptions;
	readonly sessionId: string;
	readonly interrupted: readonly RunRecord[];
	readonly project: Project;
	readonly modelConfig: ModelConfig;
	readonly defaultModel: string;
	readonly checkPrice: PriceCheck;
	readonly outputDir: string;
	readonly childEnv: Readonly<Record<string, string>>;
	readonly agentTypes: readonly AgentDefinition[];
	emptyHistory(conversation: string): Promise<void>;
	readHistory(conversation: string): Promise<readonly string[]>;
	/** A person says something to a lead. */
	onPrompt(text: string): void;
	close(why: string): Promise<void>;
}

export function createFacade(parts: FacadeParts): Supervisor {
	const { supervisor, profiles, options, rooms } = parts;
	const { project, modelConfig } = parts;
	const sessions = new Set<LeadSession>();
	const runs = () => readRuns(parts.store, supervisor, parts.sessionId);
	const treeUsage = (ids: readonly string[]) => {
		const records = runs();
		return ids.map((id) => treeTotals(records, id)).reduce(addTotals);
	};
	const commands = typedCommands(project.commands, project.skills);
	const calls = createTypedCalls({
		permissions: parts.permissions,
		profileOf: (run) => profileOfRun(profiles, options.maxDepth, run),
	});
	const expand = createExpandPrompt({ ...options, commands, calls });
	let closing: Promise<void> | undefined;
	const close = (why = "the supervisor was closed") => {
		closing ??= Promise.all([...sessions].map((session) => session.end("other"))).then(() => parts.close(why));
		return closing;
	};

	return {
		sessionId: parts.sessionId,
		spawn: createSpawn({ ...parts, treeUsage }),
		startLead: createLeadStarter({ ...parts, expand, treeUsage, sessions }),
		stop: async (id, why = "stopped by the host") => {
			const kind = supervisor.get(checkedId("stop", id))?.spec.kind ?? "subagent";
			if (kind !== "subagent") {
				throw new ClowderError("ERR_BAD_INPUT", `${id} is a ${kind}, no subagent`, {
					remedy: kind === "lead" ? "Call lead.close()" : "Call team.stop(name)",
				});
			}
			return supervisor.cancel(id, { reason: "cancelled", why });
		},
		runs,
		status: () => readStatus(supervisor, parts.board, parts.budget.used()),
		agentTypes: () => profiles.names(),
		interrupted: parts.interrupted,
		withheld: project.withheld,
		commands,
		hooks: () => listHooks(project.hooks, parts.agentTypes),
		instructions: () => project.instructions.map(({ text, ...file }) => ({ ...file, chars: text.length })),
		doctor: () =>
			examine({
				...{ modelConfig, outputDir: parts.outputDir, maxThreads: options.maxThreads, env: parts.childEnv },
				...{ faults: project.faults, withheld: project.withheld },
			}),
		permissionMode: () => parts.permissions.mode,
		permissions: checkedPermissions(parts.permissions),
		on: (name, listener) => {
			checkEvent("on", name, ["run-changed"]);
			checkListener("on", listener);
			return supervisor.onRunChanged(listener);
		},
		bus: {
			send: async (envelope) => {
				checkCall("bus.send", envelope);
				return parts.bus.send("host", envelope);
			},
			deadLetters: () => parts.bus.deadLetters(),
			inspect: (listener) => {
				checkListener("bus.inspect", listener);
				return parts.bus.inspect(listener);
			},
			status: () => parts.bus.status(),
		},
		jobs: {
			list: () => rooms.background.jobs.list(),
			stop: async (id, why = "stopped by the host") => rooms.background.jobs.stop(checkedId("jobs.stop", id), why),
			output: async (id, maxBytes = 30_000) => rooms.background.jobs.tail(checkedId("jobs.output", id), maxBytes),
		},
		tasks: checkedTasks(rooms.tasks.hand),
		team: checkedTeam(rooms.team.hand),
		auto: rooms.autonomy.hand,
		schedules: checkedSchedules(rooms.cron.schedules),
		conversation: async (wanted = {}) => {
			checkCall("conversation", wanted);
			const { last } = wanted;
			const messages = await parts.readHistory("lead");
			return last === undefined ? messages : messages.slice(-last);
		},
		sessions: () => listSessions(parts.store, options.cwd),
		denials: () => parts.permissions.denials(),
		forgetApprovals: () => parts.permissions.forgetApprovals(),
		close,
		[Symbol.asyncDispose]: () => close(),
	};
}
