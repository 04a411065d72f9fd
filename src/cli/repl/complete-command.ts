// What Tab offers after a slash: the commands, and for those that take one, the ids and names there are.

import type { Supervisor } from "../../runtime/supervisor.ts";
import { stoppable } from "../commands/stop.ts";
import { plainText } from "../terminal/plain-text.ts";
import { commandNames } from "./repl-commands.ts";

/** Whole lines, to go on with or to send. */
export function completeCommand(
	line: string,
	supervisor: Pick<Supervisor, "commands" | "status" | "jobs" | "schedules" | "team">,
): string[] {
	if (!line.startsWith("/")) return [];
	const [, start = ""] = /^(.*\s)\S*$/s.exec(line) ?? [];
	const offered =
		start === ""
			? [...commandNames(), ...supervisor.commands.map(({ name }) => `/${name}`)].map((name) => `${name} `)
			: wordsAfter(start.trim().replace(/\s+/g, " "), supervisor).map((word) => `${start}${word} `);
	// A name from a file may hold anything; what is offered is written as it is.
	return offered.filter((each) => each.startsWith(line) && plainText(each) === each);
}

function wordsAfter(
	start: string,
	{ status, jobs, schedules, team }: Pick<Supervisor, "status" | "jobs" | "schedules" | "team">,
): string[] {
	switch (start) {
		case "/stop":
			return stoppable(status().runs).map(({ id }) => id);
		case "/jobs":
			return ["stop"];
		case "/jobs stop":
			return jobs.list().flatMap(({ id, status: state }) => (state === "running" ? [id] : []));
		case "/cron":
			return ["cancel"];
		case "/cron cancel":
			return schedules.list().map(({ id }) => id);
		case "/task":
			return ["list", "add", "show", "done", "rm"];
		case "/team":
			return ["list", "spawn", "message", "stop", "log", "letters", "plans", "approve", "reject"];
		case "/team message":
		case "/team stop":
		case "/team log":
			return team.list().map(({ name }) => name);
		case "/auto":
			return ["status", "on", "off", "tasks"];
		case "/permissions":
			return ["mode", "allow", "ask", "deny", "remove"];
		case "/permissions mode":
			return ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];
		case "/model":
			return ["sonnet", "opus", "haiku"];
		default:
			return [];
	}
}
