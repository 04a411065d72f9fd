// The team tools as an agent has them. They run in the agent's thread and only pass the call on: the team is main's.

import * as z from "zod/mini";
import { optionalFlag, optionalText, requiredText } from "../tools/input-fields.ts";
import { createRoomTools } from "../tools/room-tool.ts";

/** The room that main answers for these tools. */
export const TEAM_ROOM = "team";

export const teamInputSchemas = {
	spawn_teammate: z.object({
		name: requiredText("name", "Unique in the team: letters, digits, _ or -"),
		role: requiredText("role", "What it is in the team for, in a few words"),
		prompt: requiredText("prompt", "What it begins with; it sees nothing of this conversation"),
		agent_type: optionalText("agent_type", "Which agent type it is; default general"),
		task_id: optionalText("task_id", "A task of the board that becomes its first"),
		require_plan: optionalFlag(
			"require_plan",
			"It may change nothing before you have approved its plan. Default false",
		),
		isolation: optionalText("isolation", "worktree: it works in a git worktree and branch of its own"),
	}),
	send_message: z.object({
		to: requiredText("to", "A teammate's name, or lead"),
		body: requiredText("body", "What you have to say"),
		summary: optionalText("summary", "A few words for people who watch"),
	}),
	broadcast: z.object({ body: requiredText("body", "What everybody in the team has to know") }),
	list_teammates: z.object({}),
	shutdown_teammate: z.object({ name: requiredText("name", "The teammate to end") }),
	request_plan: z.object({
		name: requiredText("name", "The teammate whose plan you want to see first"),
		about: optionalText("about", "What the plan is to be about"),
	}),
	submit_plan: z.object({
		plan: requiredText("plan", "What you are going to change, where, and how you will check it"),
	}),
	review_plan: z.object({
		request_id: requiredText("request_id", "Id of the request, as it came with the plan"),
		approve: z.boolean("approve must be true or false"),
		feedback: optionalText("feedback", "What to change, or to mind"),
	}),
};
export type TeamToolName = keyof typeof teamInputSchemas;

/** Tools of the one that leads, and of those that are led. */
const LEAD_TOOLS: readonly TeamToolName[] = [
	"spawn_teammate",
	"send_message",
	"broadcast",
	"list_teammates",
	"shutdown_teammate",
	"request_plan",
	"review_plan",
];
export const TEAMMATE_TOOLS: readonly TeamToolName[] = ["send_message", "broadcast", "list_teammates", "submit_plan"];

const BY_ROLE: Readonly<Record<"lead" | "teammate" | "subagent", readonly string[]>> = {
	lead: LEAD_TOOLS,
	teammate: TEAMMATE_TOOLS,
	subagent: [],
};

/** Team tools that an agent has for the part it plays. */
export const teamToolsOf = (role: "lead" | "teammate" | "subagent"): readonly string[] => BY_ROLE[role];

export const isTeamTool = (name: string): boolean => Object.hasOwn(teamInputSchemas, name);

const DESCRIPTIONS: Readonly<Record<TeamToolName, string>> = {
	spawn_teammate:
		"Starts a teammate: an agent that stays, works beside you and can be written to, unlike a subagent, which ends with its answer. It begins at once; you are told by itself when it rests or writes. One that failed is taken up again, with its conversation, by the same name.",
	send_message:
		"Writes to another agent of the team. It reads it at its next step, or is woken. What you write without this tool reaches nobody.",
	broadcast: "Writes to everybody in the team. Costs each of them a turn; prefer send_message.",
	list_teammates: "Lists the teammates and what state each is in.",
	shutdown_teammate:
		"Ends a teammate: at once when it rests, otherwise after a short time to stop. A task it had is free again.",
	request_plan:
		"Makes a teammate submit a plan before it changes anything more. Until you approve it, what it does is limited to looking.",
	submit_plan:
		"Hands your plan to the lead. Until it is approved you can look, not change; end your turn after it, the answer wakes you.",
	review_plan: "Approves or rejects a plan that a teammate has submitted.",
};

export const teamTools = createRoomTools({
	room: TEAM_ROOM,
	inputSchemas: teamInputSchemas,
	descriptions: DESCRIPTIONS,
	readOnly: ["list_teammates"],
});
