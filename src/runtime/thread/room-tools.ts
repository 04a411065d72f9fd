// Tools of feature rooms, each room loaded when an agent that has one of its tools starts.

import type { Tool } from "../../tools/definition.ts";

const jobs = async () => (await import("../../background/job-tools.ts")).jobTools;

const crons = async () => (await import("../../cron/cron-tools.ts")).cronTools;

const ROOM_TOOLS: Readonly<Record<string, () => Promise<readonly Tool[]>>> = {
	job_output: jobs,
	job_stop: jobs,
	schedule_cron: crons,
	list_crons: crons,
	cancel_cron: crons,
};

/** The tool of that name, or undefined when no room has it. */
export async function loadRoomTool(name: string): Promise<Tool | undefined> {
	if (!Object.hasOwn(ROOM_TOOLS, name)) return undefined;
	return (await ROOM_TOOLS[name]?.())?.find((tool) => tool.name === name);
}
