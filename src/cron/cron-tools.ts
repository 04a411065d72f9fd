// The schedule tools as an agent has them. They run in the agent's thread and only pass the call on: schedules are main's.

import * as z from "zod/mini";
import { optionalFlag, requiredText } from "../tools/input-fields.ts";
import { createRoomTools } from "../tools/room-tool.ts";

/** The room that main answers for these tools. */
export const CRON_ROOM = "cron";

export const cronInputSchemas = {
	schedule_cron: z.object({
		cron: requiredText("cron", "Five fields, local time: minute hour day-of-month month day-of-week, e.g. 0 9 * * 1-5"),
		prompt: requiredText(
			"prompt",
			"What the lead is told when the time comes; it must be clear without this conversation",
		),
		recurring: optionalFlag("recurring", "Comes again and again; false: once. Default true"),
		durable: optionalFlag("durable", "Is kept when this session ends; false: ends with it. Default true"),
	}),
	list_crons: z.object({}),
	cancel_cron: z.object({ id: requiredText("id", "Id of the schedule, as schedule_cron answered it") }),
};
export type CronToolName = keyof typeof cronInputSchemas;

const DESCRIPTIONS: Readonly<Record<CronToolName, string>> = {
	schedule_cron:
		"Schedules a prompt for the lead of this project. It comes when the lead is idle, in an interactive session; one that came due meanwhile comes late, and once. Nobody can be asked in such a turn, so what it needs must be allowed beforehand.",
	list_crons: "Lists the schedules of this project and session, and when each comes next.",
	cancel_cron: "Cancels a schedule.",
};

export const cronTools = createRoomTools({
	room: CRON_ROOM,
	inputSchemas: cronInputSchemas,
	descriptions: DESCRIPTIONS,
	readOnly: ["list_crons"],
});
