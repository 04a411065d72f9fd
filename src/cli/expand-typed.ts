// `/name arguments`, as typed, becomes the prompt that the command or skill stands for.

import type { Supervisor } from "../runtime/supervisor.ts";

/** The prompt; undefined when no command of that name is known. */
export function expandTyped(line: string, supervisor: Pick<Supervisor, "commands">): string | undefined {
	const [, name, rest = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
	return supervisor.commands.find((command) => command.name === name)?.expand(rest);
}
