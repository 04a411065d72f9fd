// The feature rooms on main that agents reach by `room-call`, put together in one place: what they offer as tools,
// who answers, what they have to tell an agent, and how they end.

import { JOB_ROOM, jobTools } from "../../background/job-tools.ts";
import type { MessageBus } from "../../bus/contract.ts";
import type { Skill } from "../../config/skills.ts";
import { CRON_ROOM, cronTools } from "../../cron/cron-tools.ts";
import { SKILL_ROOM } from "../../skills/skill-tool.ts";
import type { Store } from "../../store/store.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { TaskGate } from "../../tasks/task-calls.ts";
import { TASK_ROOM, taskTools } from "../../tasks/task-tools.ts";
import type { Team } from "../../teams/team.ts";
import { TEAM_ROOM, teamTools } from "../../teams/team-tools.ts";
import { toolSpecOf } from "../../tools/tool-spec.ts";
import type { ToolSpec } from "../../wire/conversation.ts";
import type { OutgoingEnvelope } from "../../wire/envelope.ts";
import type { RequestParams, RequestResults } from "../../wire/requests.ts";
import type { ResolvedOptions } from "../options/options.ts";
import { type Autonomy, createAutonomy } from "./autonomy.ts";
import { type Background, createBackground } from "./background.ts";
import { type CronRoom, createCronRoom } from "./cron.ts";
import { createRoomCalls } from "./room-calls.ts";
import { createSkillRoom } from "./skills.ts";
import { createTaskRoom, type TaskRoom } from "./task-board.ts";
import { createTeamRoom, leadOf, type TeamSurroundings, type TeamWork } from "./team.ts";

export interface RoomParts {
	readonly options: ResolvedOptions;
	readonly store: Store;
	readonly sessionId: string;
	readonly outputDir: string;
	readonly childEnv: Readonly<Record<string, string>>;
	readonly bus: MessageBus;
	readonly skills: readonly Skill[];
	/** Asked before a task comes onto the board or is completed. */
	taskGate(): TaskGate;
	/** Runs that have not ended, oldest first. */
	runs(): readonly LiveRun[];
	/** Where a run works. */
	cwdOf(run: LiveRun): string;
	/** The environment of what a run starts. */
	envOf(run: LiveRun): Readonly<Record<string, string>>;
	/** What is built after the rooms; asked for when something happens. */
	surroundings(): TeamSurroundings;
}

export interface Rooms {
	readonly background: Background;
	readonly cron: CronRoom;
	readonly tasks: TaskRoom;
	readonly team: Team;
	readonly autonomy: Autonomy;
	/** What the `skill` tool can load. */
	readonly skillCatalog: readonly Skill[];
	readonly specs: readonly ToolSpec[];
	/** Names of tools that change nothing. */
	readonly readOnlyTools: readonly string[];
	call(run: LiveRun, call: RequestParams<"room-call">): Promise<RequestResults["room-call"]>;
	/** What an address has to be told when it is opened. */
	endsFor(address: string): Promise<OutgoingEnvelope[]>;
	/** Whether teammates work, or are about to. */
	readonly teamWork: TeamWork;
	/** Nobody is started again or given work from here on; the runs are ended after it. */
	closeTeam(): Promise<void>;
	close(why: string): Promise<void>;
}

export async function createRooms(parts: RoomParts): Promise<Rooms> {
	const { options, store, sessionId, outputDir, childEnv, bus, runs } = parts;
	const { clock, onWarning } = options;
	const rests = (lead: LiveRun) => !(lead.prompts.busy || parts.surroundings().mail.waitsFor(lead));
	const cron = createCronRoom({ rests, store, clock, sessionId, bus, runs, onWarning, fires: options.runSchedules });
	const { cwdOf, envOf } = parts;
	const background = createBackground({
		...{ store, clock, sessionId, env: childEnv, cwdOf, envOf, outputDir, bus, onWarning },
	});
	const skills = await createSkillRoom(parts.skills);
	const tasks = await createTaskRoom({ store, clock, sessionId, gate: parts.taskGate, onWarning });
	const board = tasks.board;
	const team = createTeamRoom({ options, store, clock, sessionId, bus, board, surroundings: parts.surroundings });
	const autonomy = createAutonomy({
		...{ clock, bus, board, team, onWarning, config: options.team },
		hasJobs: (address) =>
			background.jobs.list().some(({ status, starters }) => status === "running" && starters[0] === address),
		leadRests: () => {
			const lead = leadOf(runs());
			return !lead || rests(lead);
		},
	});
	return {
		background,
		cron,
		tasks,
		team,
		autonomy,
		skillCatalog: skills.catalog,
		specs: [
			// The fields read leniently are still asked for strictly.
			...(await Promise.all(
				[...jobTools, ...cronTools, ...taskTools, ...teamTools].map((tool) => toolSpecOf(tool, "output")),
			)),
			...skills.specs,
		],
		readOnlyTools: ["job_output", "list_crons", "list_tasks", "get_task", "list_teammates"],
		call: createRoomCalls(
			new Map([
				[JOB_ROOM, background.call],
				[CRON_ROOM, cron.call],
				[TASK_ROOM, tasks.call],
				[SKILL_ROOM, skills.call],
				[TEAM_ROOM, team.calls],
			]),
		),
		endsFor: async (address) => [...team.endsFor(address), ...(await background.endsFor(address))],
		teamWork: {
			get atRest() {
				return team.atRest && autonomy.atRest;
			},
			onMoved: (listener) => {
				const { events } = team.state;
				const watches = [events.on("changed", listener), events.on("rested", listener), autonomy.onRest(listener)];
				return () => {
					for (const stop of watches) stop();
				};
			},
		},
		closeTeam: async () => {
			team.close();
			await autonomy.stop();
		},
		close: async (why) => {
			await cron.schedules.close();
			await tasks.board.close();
			await background.close(why);
		},
	};
}
