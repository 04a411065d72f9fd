// The feature rooms on main that agents reach by `room-call`, put together in one place: what they offer as tools,
// who answers, what they have to tell an agent, and how they end.

import { jobToolSpecs } from "../background/job-tool-specs.ts";
import { JOB_ROOM } from "../background/job-tools.ts";
import type { MessageBus } from "../bus/contract.ts";
import type { Skill } from "../config/skills.ts";
import { cronToolSpecs } from "../cron/cron-tool-specs.ts";
import { CRON_ROOM } from "../cron/cron-tools.ts";
import { SKILL_ROOM } from "../skills/skill-tool.ts";
import type { Store } from "../store/store.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import { taskToolSpecs } from "../tasks/task-tool-specs.ts";
import { TASK_ROOM } from "../tasks/task-tools.ts";
import type { ToolSpec } from "../wire/conversation.ts";
import type { OutgoingEnvelope } from "../wire/envelope.ts";
import type { RequestParams, RequestResults } from "../wire/requests.ts";
import { type Background, createBackground } from "./background.ts";
import { type CronRoom, createCronRoom } from "./cron.ts";
import type { ResolvedOptions } from "./options.ts";
import { createRoomCalls } from "./room-calls.ts";
import { createSkillRoom } from "./skills.ts";
import { createTaskRoom, type TaskRoom } from "./task-board.ts";

export interface RoomParts {
	readonly options: ResolvedOptions;
	readonly store: Store;
	readonly sessionId: string;
	readonly outputDir: string;
	readonly childEnv: Readonly<Record<string, string>>;
	readonly bus: MessageBus;
	readonly skills: readonly Skill[];
	/** Runs that have not ended, oldest first. */
	runs(): readonly LiveRun[];
}

export interface Rooms {
	readonly background: Background;
	readonly cron: CronRoom;
	readonly tasks: TaskRoom;
	/** What the `skill` tool can load. */
	readonly skillCatalog: readonly Skill[];
	readonly specs: readonly ToolSpec[];
	/** Names of tools that change nothing. */
	readonly readOnlyTools: readonly string[];
	call(run: LiveRun, call: RequestParams<"room-call">): Promise<RequestResults["room-call"]>;
	/** What an address has to be told when it is opened. */
	endsFor(address: string): Promise<OutgoingEnvelope[]>;
	close(why: string): Promise<void>;
}

export async function createRooms(parts: RoomParts): Promise<Rooms> {
	const { options, store, sessionId, outputDir, childEnv, bus, runs } = parts;
	const { clock, onWarning } = options;
	const cron = createCronRoom({ store, clock, sessionId, bus, runs, onWarning, fires: options.runSchedules });
	const background = createBackground({ store, clock, sessionId, env: childEnv, outputDir, bus, onWarning });
	const skills = await createSkillRoom(parts.skills);
	const tasks = await createTaskRoom({ store, clock, sessionId, onWarning });
	return {
		background,
		cron,
		tasks,
		skillCatalog: skills.catalog,
		specs: [...(await Promise.all([jobToolSpecs(), cronToolSpecs(), taskToolSpecs()])).flat(), ...skills.specs],
		readOnlyTools: ["job_output", "list_crons", "list_tasks", "get_task"],
		call: createRoomCalls(
			new Map([
				[JOB_ROOM, background.call],
				[CRON_ROOM, cron.call],
				[TASK_ROOM, tasks.call],
				[SKILL_ROOM, skills.call],
			]),
		),
		endsFor: (address) => background.endsFor(address),
		close: async (why) => {
			await cron.schedules.close();
			await tasks.board.close();
			await background.close(why);
		},
	};
}
