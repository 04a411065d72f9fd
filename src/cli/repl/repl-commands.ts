// The slash commands that are built in: each takes the rest of its line and answers with text.

import { formatJobs } from "../../background/job-texts.ts";
import { formatSchedules } from "../../cron/cron-texts.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Lead } from "../../runtime/agents/lead.ts";
import type { Supervisor } from "../../runtime/supervisor.ts";
import { formatProgress } from "../../subagents/progress.ts";
import { runTaskCommand } from "../../tasks/task-command.ts";
import { runTeamCommand } from "../../teams/team-command.ts";
import { formatCost } from "../commands/cost.ts";
import { formatHealth } from "../commands/doctor.ts";
import { formatHooks } from "../commands/hooks.ts";
import { formatMemory } from "../commands/memory.ts";
import { runModel } from "../commands/model.ts";
import { runPermissions } from "../commands/permissions.ts";
import { runStop, stoppable } from "../commands/stop.ts";

export interface CommandContext {
	readonly supervisor: Supervisor;
	readonly lead: Lead;
}

interface ReplCommand {
	readonly names: readonly string[];
	readonly help: string;
	/** It needs the person who typed it: a conversation that goes on, or a question answered. */
	readonly interactive?: true;
	run(rest: string, context: CommandContext): Promise<string> | string;
}

const COMMANDS: readonly ReplCommand[] = [
	{ names: ["/help"], help: "lists the commands", run: (_rest, context) => help(context) },
	{
		names: ["/clear", "/c"],
		interactive: true,
		help: "empties the conversation, its todo list and permission memory, and stops its subagents and teammates",
		run: async (_rest, { lead, supervisor }) => {
			await lead.clear();
			supervisor.forgetApprovals();
			return "Conversation history, permission memory, todo list, subagents and teammates cleared.";
		},
	},
	{
		names: ["/compact"],
		help: "shortens the conversation, keeping what matters: /compact [focus]",
		run: async (rest, { lead }) => (await lead.compact(rest)).finalText,
	},
	{ names: ["/agents"], help: "lists agent types and running subagents", run: (_rest, context) => agents(context) },
	{
		names: ["/stop"],
		interactive: true,
		help: "ends a running subagent: /stop ID, as /agents lists it, or /stop all",
		run: (rest, { supervisor }) => runStop(rest.trim(), supervisor),
	},
	{
		names: ["/cost"],
		help: "tells what each agent used so far, and all together",
		run: (_rest, { supervisor }) => formatCost(supervisor.runs()).join("\n"),
	},
	{
		names: ["/model"],
		interactive: true,
		help: "tells which model answers; /model NAME changes it from the next prompt on",
		run: (rest, { lead }) => runModel(rest.trim(), lead),
	},
	{
		names: ["/permissions"],
		interactive: true,
		help: "shows the permission mode and rules; changes them: /permissions mode, allow, ask, deny, remove",
		run: async (rest, { supervisor }) => (await runPermissions(rest, supervisor)).join("\n"),
	},
	{
		names: ["/hooks"],
		help: "lists the commands that run as hooks",
		run: (_rest, { supervisor }) => formatHooks(supervisor.hooks()).join("\n"),
	},
	{
		names: ["/memory"],
		help: "lists the instruction files that agents read",
		run: (_rest, { supervisor }) => formatMemory(supervisor.instructions()).join("\n"),
	},
	{
		names: ["/doctor"],
		help: "looks whether what agents need is there",
		run: async (_rest, { supervisor }) => formatHealth(await supervisor.doctor()).join("\n"),
	},
	{ names: ["/status"], help: "tells what is running", run: (_rest, context) => status(context) },
	{
		names: ["/task"],
		help: "shows and changes the task board: /task list, add, show, done, rm",
		run: async (rest, { supervisor }) => (await runTaskCommand(supervisor.tasks, rest)).join("\n"),
	},
	{
		names: ["/team"],
		interactive: true,
		help: "lists teammates; spawns, stops and writes to them: /team spawn NAME PROMPT",
		run: async (rest, { supervisor }) =>
			(await runTeamCommand(supervisor.team, rest, supervisor.bus.deadLetters())).join("\n"),
	},
	{
		names: ["/auto"],
		interactive: true,
		help: "ready tasks for idle teammates: /auto status, on, off, tasks",
		run: (rest, { supervisor }) => supervisor.auto.command(rest).join("\n"),
	},
	{ names: ["/jobs"], interactive: true, help: "lists background jobs; /jobs stop ID ends one", run: jobs },
	{ names: ["/cron"], help: "lists scheduled prompts; /cron cancel ID cancels one", run: cron },
	{ names: ["/resume"], interactive: true, help: "goes on with another conversation of this folder", run: () => "" },
	{ names: ["/exit"], interactive: true, help: "leaves (also: exit, quit, q)", run: () => "" },
];

/** Every name of every command, for completion. */
export function commandNames(): string[] {
	return COMMANDS.flatMap(({ names }) => names);
}

/** The built-in command that a line starts with, and the rest of the line. */
export function findCommand(line: string): { readonly command: ReplCommand; readonly rest: string } | undefined {
	const [, name = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(line.trim()) ?? [];
	const command = COMMANDS.find(({ names }) => names.includes(name));
	return command && { command, rest };
}

/** What a run without a person takes as `/name`: its own commands, then those of files. */
export function headlessCommandNames(supervisor: Pick<Supervisor, "commands">): string[] {
	const own = COMMANDS.filter(({ interactive }) => !interactive).map(({ names }) => names[0]?.slice(1) ?? "");
	return [...new Set([...own, ...supervisor.commands.map(({ name }) => name)])];
}

function help({ supervisor }: CommandContext): string {
	const own = supervisor.commands.map(({ name, description, argumentHint }) => ({
		names: [`/${name}${argumentHint === undefined ? "" : ` ${argumentHint}`}`],
		help: description,
	}));
	const all = [...COMMANDS, ...own];
	const width = Math.max(...all.map(({ names }) => names.join(", ").length));
	return all.map(({ names, help }) => `  ${names.join(", ").padEnd(width)}  ${help}`).join("\n");
}

function agents({ supervisor }: CommandContext): string {
	const live = stoppable(supervisor.status().runs);
	const lines = live.map((run) => `  ${shortId(run.id)}${formatProgress(run, systemClock.now())}`);
	return [
		`Agent types: ${supervisor.agentTypes().join(", ")}`,
		...(lines.length > 0 ? [...lines, "/stop ID ends one."] : ["  No subagents are running."]),
	].join("\n");
}

/** Enough of an id to name it by. */
const shortId = (id: string) => id.replace(/^task_/, "").slice(0, 8);

async function jobs(rest: string, { supervisor }: CommandContext): Promise<string> {
	const [verb = "", id = ""] = rest.trim().split(/\s+/);
	if (verb === "stop" && id !== "") {
		const job = await supervisor.jobs.stop(id, "stopped by the user");
		return formatJobs([job], systemClock.now()).slice(1).join("\n");
	}
	if (verb !== "") return "Usage: /jobs | /jobs stop ID";
	return formatJobs(supervisor.jobs.list(), systemClock.now()).join("\n");
}

async function cron(rest: string, { supervisor }: CommandContext): Promise<string> {
	const [verb = "", id = ""] = rest.trim().split(/\s+/);
	if (verb === "cancel" && id !== "") {
		return (await supervisor.schedules.cancel(id)) ? `Cancelled: ${id}` : `There is no schedule '${id}'.`;
	}
	if (verb !== "") return "Usage: /cron | /cron cancel ID";
	return formatSchedules(supervisor.schedules.list()).join("\n");
}

function status({ supervisor, lead }: CommandContext): string {
	const { running, limit, queued, threads, lostThreads } = supervisor.status();
	return [
		`Session ${supervisor.sessionId}, model ${lead.model}`,
		`Subagents: ${running} of ${limit} running, ${queued} waiting; agent threads: ${threads}${lostThreads > 0 ? `, ${lostThreads} lost` : ""}`,
	].join("\n");
}
