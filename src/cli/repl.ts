// The conversation at a terminal, on plain readline. While the lead works, its text and the subagents' progress
// appear; Ctrl-C stops the turn and keeps the conversation; a second one, exit, quit, q or EOF leaves.

import { homedir } from "node:os";
import { createInterface, type Interface } from "node:readline";
import { findProject, type ProjectFiles } from "../config/project-folders.ts";
import { createTrustStore, decideProjectFiles } from "../config/trust.ts";
import { systemClock } from "../lib/clock.ts";
import { createDeferred } from "../lib/deferred.ts";
import { createSupervisor } from "../runtime/create-supervisor.ts";
import type { Lead } from "../runtime/lead.ts";
import { loadProject } from "../runtime/project.ts";
import type { Supervisor } from "../runtime/supervisor.ts";
import { createPersonAsker, type PersonAsker } from "./ask-person.ts";
import { noteStuckThreads } from "./exit.ts";
import { EXIT } from "./failure.ts";
import type { Flags } from "./flags.ts";
import { toLeadOptions } from "./lead-options.ts";
import { showLeadEvents } from "./lead-view.ts";
import { createLiveRegion, type LiveRegion } from "./live-region.ts";
import { plainText } from "./plain-text.ts";
import { showProgress } from "./progress.ts";
import { runCommand } from "./repl-commands.ts";
import { onSignals, SIGNAL_EXIT } from "./signals.ts";
import { toSupervisorOptions } from "./supervisor-options.ts";
import type { Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

const PROMPT = "> ";
const LEAVE = new Set(["exit", "quit", "q", "/exit", "/quit"]);

interface Talk {
	readonly flags: Flags;
	readonly terminal: Terminal;
	readonly rl: Interface;
	readonly region: LiveRegion;
	readonly supervisor: Supervisor;
	readonly lead: Lead;
}

export async function runRepl(flags: Flags, terminal: Terminal): Promise<number> {
	const region = createLiveRegion(terminal.stdout);
	const rl = createInterface({ input: terminal.stdin, output: terminal.stdout, prompt: PROMPT, historySize: 500 });
	const person = createPersonAsker(rl, region, terminal.colors);
	let supervisor: Supervisor | undefined;
	try {
		const files = await filesThatCount(flags, terminal, person, region);
		const options = toSupervisorOptions(flags, terminal, files);
		supervisor = await createSupervisor({
			...options,
			permissions: { ...options.permissions, onRequest: person.permission },
			askUser: person.question,
			onWarning: (text) => region.print(`${terminal.colors.dim(plainText(text))}\n`),
		});
		const lead = await supervisor.startLead(toLeadOptions(flags));
		return await talk({ flags, terminal, rl, region, supervisor, lead });
	} finally {
		rl.removeAllListeners("close");
		rl.close();
		await supervisor?.close();
		if ((supervisor?.status().lostThreads ?? 0) > 0) noteStuckThreads();
	}
}

/** Asks once whether what the project's own files want to switch on may count. */
async function filesThatCount(
	flags: Flags,
	terminal: Terminal,
	person: PersonAsker,
	region: LiveRegion,
): Promise<ProjectFiles> {
	const cwd = process.cwd();
	const homeDir = terminal.env.HOME ?? homedir();
	const { root } = await findProject(cwd, homeDir);
	const trust = createTrustStore({ homeDir, clock: systemClock });
	const decide = (trusted: boolean) =>
		decideProjectFiles({ trusted, headless: false, noProjectSettings: !flags.projectSettings });
	if (await trust.isTrusted(root)) return decide(true);
	const { withheld } = await loadProject({ cwd, homeDir, env: terminal.env, project: { files: decide(false) } });
	if (withheld.length === 0) return decide(false);
	region.print(`The files of ${root} want to switch on:\n${withheld.map((what) => `  ${plainText(what)}\n`).join("")}`);
	if (!(await person.yesNo("Do you trust this folder?"))) return decide(false);
	await trust.trust(root);
	return decide(true);
}

async function talk({ flags, terminal, rl, region, supervisor, lead }: Talk): Promise<number> {
	const { stdout, colors } = terminal;
	const left = createDeferred<number>();
	let leaving = false;
	const offSignals = onSignals((signal) => {
		if (signal !== "SIGINT") left.resolve(SIGNAL_EXIT[signal]);
	});
	rl.on("SIGINT", () => {
		if (lead.busy) {
			lead.interrupt("interrupted by the user");
		} else if (leaving) {
			left.resolve(EXIT.interrupted);
		} else {
			leaving = true;
			region.print(`\n${colors.dim("Press Ctrl-C again to leave.")}\n`);
			rl.prompt();
		}
	});
	rl.on("close", () => left.resolve(EXIT.ok));
	const hideLead = showLeadEvents(lead, region, { colors, verbose: flags.verbose, onRest: () => rl.prompt() });
	const progress = showProgress(supervisor, region);

	async function command(text: string): Promise<void> {
		const said = await runCommand(text, { supervisor, lead }).catch((thrown: unknown) => `Error: ${String(thrown)}`);
		if (said !== "") region.print(`${said}\n`);
		rl.prompt();
	}

	rl.on("line", (line) => {
		leaving = false;
		const text = line.trim();
		if (LEAVE.has(text)) return left.resolve(EXIT.ok);
		if (text === "") return rl.prompt();
		void (text.startsWith("/") ? command(text) : lead.prompt(text));
	});
	stdout.write(`🐱 Clowder ${VERSION} · ${lead.model} · ${process.cwd()}\n`);
	stdout.write(`${colors.dim("/help lists the commands; exit leaves.")}\n`);
	if (flags.prompt === undefined) rl.prompt();
	else void lead.prompt(flags.prompt);

	const code = await left.promise;
	hideLead();
	progress.stop();
	offSignals();
	stdout.write("\n");
	return code;
}
