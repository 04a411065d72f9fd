// Whether a bash command changes nothing at all: for agents that may only look (explore, plan) and for plan mode.
// An allowlist: what is not known to be harmless is refused, with a text that says what is allowed.

import { canMeet } from "../../rules/holed-text.ts";
import type { ShellAnalysis } from "../analysis.ts";
import { isSafeVariable } from "../environment.ts";
import type { ShellCommand, ShellRedirect } from "../script.ts";
import { READ_ONLY_COMMANDS } from "./commands.ts";
import { GIT_SUBCOMMANDS } from "./git.ts";

const SYSTEM_FOLDERS = /^\/(?:usr\/|usr\/local\/|opt\/homebrew\/)?s?bin\/([^/]+)$/;

/** Why the command may change something; undefined when it cannot. */
export function judgeReadOnly(analysis: ShellAnalysis): string | undefined {
	if (analysis.problem !== undefined) return `it cannot be read: ${analysis.problem}`;
	const [hidden] = analysis.opaque;
	if (hidden !== undefined) return hidden.reason;
	if (analysis.functions.length > 0) return "functions may not be defined here";
	const set = [...analysis.variables.filter((each) => !each.byLoop || !isSafeVariable(each))];
	set.push(...analysis.commands.flatMap((command) => command.assignments));
	if (set[0] !== undefined) return `variables may not be set here (${set[0].raw})`;
	const opens = analysis.redirects.some(({ access }) => access === "read");
	for (const redirect of analysis.redirects) {
		const reason = judgeRedirect(redirect, opens);
		if (reason !== undefined) return reason;
	}
	for (const command of analysis.commands) {
		const reason = judgeCommand(command);
		if (reason !== undefined) return reason;
	}
	return judgeFolders(analysis);
}

/** The text for the model: what was wrong, and what it may do instead. */
export function readOnlyMessage(reason: string): string {
	const names = [...READ_ONLY_COMMANDS.keys()].filter((name) => /^[a-z]/.test(name)).sort();
	return (
		`This agent may only run commands that change nothing: ${reason}. ` +
		`Allowed are ${names.join(", ")}; git with ${GIT_SUBCOMMANDS.join(", ")}; pipes, lists and loops of these; ` +
		"output redirected to /dev/null only."
	);
}

/** The command's name as the lists here have it: without the system's own folders, but with any other. */
export function readOnlyName(command: ShellCommand): string | undefined {
	const written = command.words[0]?.value;
	return written === undefined ? undefined : (SYSTEM_FOLDERS.exec(written)?.[1] ?? written);
}

function judgeCommand(command: ShellCommand): string | undefined {
	const name = readOnlyName(command);
	if (name === undefined) return command.words.length === 0 ? undefined : "the command's name is not known";
	const check = READ_ONLY_COMMANDS.get(name);
	if (!check) return `'${name}' is not one of the commands that are known to change nothing`;
	const reason = check(command.words.slice(1));
	return reason === undefined ? undefined : `${name}: ${reason}`;
}

/** @param opens some redirection opens a file: on Linux a descriptor's name opens it anew, for writing. */
function judgeRedirect(redirect: ShellRedirect, opens: boolean): string | undefined {
	const { target, access } = redirect;
	if (access === "descriptor" || target === undefined) return undefined;
	if (access === "write") {
		const harmless = opens ? /^\/dev\/null$/ : /^\/dev\/(?:null|stdout|stderr|fd\/[12])$/;
		return harmless.test(target.value ?? "") ? undefined : `output may not go to ${target.raw}`;
	}
	const network = (["/dev/tcp/", "/dev/udp/"] as const).some((start) => canMeet(target.text, [start, ""]));
	return network ? `input may not come from ${target.raw}` : undefined;
}

// A folder that is itself a bare repository makes git run the programs its settings name.
function judgeFolders(analysis: ShellAnalysis): string | undefined {
	const names = new Set(analysis.commands.map(readOnlyName));
	return names.has("cd") && names.has("git") ? "cd and git may not be combined; run git by itself" : undefined;
}
