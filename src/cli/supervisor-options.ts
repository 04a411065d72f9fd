// From flags to what the library takes.

import { homedir } from "node:os";
import type { ProjectFiles } from "../config/project-folders.ts";
import { currentFolder } from "../runtime/options/given-paths.ts";
import type { SupervisorOptions } from "../runtime/options/options.ts";
import { LATEST } from "../runtime/sessions/find-session.ts";
import { UsageError } from "./failure.ts";
import type { Flags } from "./flags.ts";
import { inFlags } from "./in-flags.ts";
import { plainText } from "./terminal/plain-text.ts";
import type { Terminal } from "./terminal/terminal.ts";

export function toSupervisorOptions(flags: Flags, terminal: Terminal, files: ProjectFiles): SupervisorOptions {
	checkSessionFlags(flags);
	return {
		cwd: currentFolder(),
		env: { ...terminal.env, HOME: terminal.env.HOME ?? homedir() },
		...(flags.model === undefined ? {} : { model: flags.model }),
		...(flags.fallbackModel === undefined ? {} : { fallbackModel: flags.fallbackModel }),
		...(flags.maxConcurrent === undefined ? {} : { maxConcurrent: flags.maxConcurrent }),
		...(flags.appendSystemPrompt === undefined ? {} : { appendSystemPrompt: flags.appendSystemPrompt }),
		...(flags.sessionId === undefined ? {} : { sessionId: flags.sessionId }),
		...(flags.continue ? { resume: LATEST } : {}),
		...(typeof flags.resume === "string" ? { resume: flags.resume } : {}),
		forkSession: flags.forkSession,
		...(flags.stateDir === undefined ? {} : { stateDir: flags.stateDir }),
		...(flags.maxBudgetUsd === undefined ? {} : { budget: { usd: flags.maxBudgetUsd } }),
		additionalDirectories: flags.addDir,
		verbose: flags.verbose || flags.debug,
		...(flags.tools === undefined ? {} : { builtinTools: flags.tools }),
		project: {
			files,
			...(flags.settings === undefined ? {} : { settings: flags.settings }),
			...(flags.agents === undefined ? {} : { agents: flags.agents }),
		},
		permissions: {
			...(flags.permissionMode === undefined ? {} : { mode: flags.permissionMode }),
			allow: flags.allowedTools,
			deny: flags.disallowedTools,
		},
		onWarning: (text) => terminal.err(`clowder: ${plainText(inFlags(text))}\n`),
	};
}

/** @throws UsageError for flags that contradict each other */
function checkSessionFlags({ continue: latest, resume, forkSession, sessionId }: Flags): void {
	const former = latest || resume !== undefined;
	if (latest && resume !== undefined)
		throw new UsageError("--continue and --resume exclude each other; give one of them");
	if (forkSession && !former) throw new UsageError("--fork-session needs --continue or --resume");
	if (sessionId !== undefined && former && !forkSession) {
		throw new UsageError("--session-id names a new session; with --continue or --resume it needs --fork-session");
	}
}
