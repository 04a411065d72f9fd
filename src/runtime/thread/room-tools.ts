// Tools of feature rooms, each room loaded when an agent that has one of its tools starts.

import type { Tool } from "../../tools/definition.ts";

const jobs = async () => (await import("../../background/job-tools.ts")).jobTools;

const crons = async () => (await import("../../cron/cron-tools.ts")).cronTools;
const tasks = async () => (await import("../../tasks/task-tools.ts")).taskTools;

const skills = async () => [(await import("../../skills/skill-tool.ts")).skillTool as Tool];

const team = async () => (await import("../../teams/team-tools.ts")).teamTools;

const ROOM_TOOLS: Readonly<Record<string, () => Promise<readonly Tool[]>>> = {
	job_output: jobs,
	job_stop: jobs,
	schedule_cron: crons,
	list_crons: crons,
	cancel_cron: crons,
	create_task: tasks,
	list_tasks: tasks,
	get_task: tasks,
	update_task: tasks,
	claim_task: tasks,
	complete_task: tasks,
	skill: skills,
	spawn_teammate: team,
	send_message: team,
	broadcast: team,
	list_teammates: team,
	shutdown_teammate: team,
	request_plan: team,
	submit_plan: team,
	review_plan: team,
};

/** The tool of that name, or undefined when no room has it. */
export async function loadRoomTool(name: string): Promise<Tool | undefined> {
	if (!Object.hasOwn(ROOM_TOOLS, name)) return undefined;
	return (await ROOM_TOOLS[name]?.())?.find((tool) => tool.name === name);
}
