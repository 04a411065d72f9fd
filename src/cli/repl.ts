// The conversation at a terminal, on plain readline. While the lead works, its text and the subagents' progress
// appear; Ctrl-C stops the turn and keeps the conversation; a second one, exit, quit, q or EOF leaves.

import { homedir } from "node:os";
import { createInterface, type Interface } from "node:readline";
import { findProject, type ProjectFiles } from "../config/project-folders.ts";
import { createTrustStore, decideProjectFiles } from "../config/trust.ts";
import { messageOf } from "../errors.ts";
import { systemClock } from "../lib/clock.ts";
import { createDeferred } from "../lib/deferred.ts";
import { createSupervisor } from "../runtime/create-supervisor.ts";
import { listFormerSessions } from "../runtime/former-sessions.ts";
import type { Lead } from "../runtime/lead.ts";
import type { SupervisorOptions } from "../runtime/options.ts";
import { loadProject } from "../runtime/project.ts";
import type { Supervisor } from "../runtime/supervisor.ts";
import { createPersonAsker, type PersonAsker } from "./ask-person.ts";
import { noteStuckThreads } from "./exit.ts";
import { EXIT } from "./failure.ts";
import type { Flags } from "./flags.ts";
import { toLeadOptions } from "./lead-options.ts";
import { showLeadEvents } from "./lead-view.ts";
import { createLiveRegion, type LiveRegion } from "./live-region.ts";
import { formatSessions, pickSession } from "./pick-session.ts";
import { oneLine, plainText } from "./plain-text.ts";
import { showProgress } from "./progress.ts";
import { runCommand } from "./repl-commands.ts";
import { onSignals, SIGNAL_EXIT } from "./signals.ts";
import { toSupervisorOptions } from "./supervisor-options.ts";
import type { Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

const PROMPT = "> ";
const LEAVE = new Set(["exit", "quit", "q", "/exit", "/quit"]);

interface Opened {
	readonly supervisor: Supervisor;
	readonly lead: Lead;
}

interface Talk extends Opened {
	readonly flags: Flags;
	readonly terminal: Terminal;
	readonly rl: Interface;
	readonly region: LiveRegion;
	readonly person: PersonAsker;
	/** Said at once, without the person. */
	readonly firstPrompt: string | undefined;
	/** Opens another conversation; what cannot be opened is told, and nothing changes. */
	open(sessionId: string): Promise<Opened | undefined>;
}

/** How a talk ends: the person leaves, or goes on with another conversation. */
type TalkEnd = { readonly code: number } | { readonly next: Opened };

export async function runRepl(flags: Flags, terminal: Terminal): Promise<number> {
	const region = createLiveRegion(terminal.stdout);
	const rl = createInterface({ input: terminal.stdin, output: terminal.stdout, prompt: PROMPT, historySize: 500 });
	const person = createPersonAsker(rl, region, terminal.colors);
	let opened: Opened | undefined;
	let isClosed = false;
	rl.once("close", () => {
		isClosed = true;
	});
	try {
		const files = await filesThatCount(flags, terminal, person, region);
		const options = toSupervisorOptions(flags, terminal, files);
		const { sessionId: _ofTheFirst, ...others } = options;
		const open = async (session: SupervisorOptions): Promise<Opened> => {
			const supervisor = await createSupervisor({
				...session,
				permissions: { ...session.permissions, onRequest: person.permission },
				askUser: person.question,
				onWarning: (text) => region.print(`${terminal.colors.dim(plainText(text))}\n`),
			});
			return { supervisor, lead: await supervisor.startLead(toLeadOptions(flags)) };
		};
		const picked = flags.resume === true ? await pickFormer(options, person, region) : undefined;
		opened = await open(picked === undefined ? options : { ...others, resume: picked });
		let firstPrompt = flags.prompt;
		for (;;) {
			const end = await talk({
				...{ ...opened, flags, terminal, rl, region, person, firstPrompt },
				open: (resume) =>
					open({ ...others, resume, forkSession: false }).catch((thrown: unknown) => {
						region.print(`${terminal.colors.red(`Error: ${oneLine(messageOf(thrown), 300)}`)}\n`);
						return undefined;
					}),
			});
			if ("code" in end) return end.code;
			await closeOne(opened);
			opened = end.next;
			if (isClosed) return EXIT.ok;
			firstPrompt = undefined;
		}
	} finally {
		rl.removeAllListeners("close");
		rl.close();
		if (opened) await closeOne(opened);
	}
}

async function closeOne({ supervisor, lead }: Opened): Promise<void> {
	await lead.close("the person left", "prompt_input_exit");
	await supervisor.close();
	if (supervisor.status().lostThreads > 0) noteStuckThreads();
}

async function pickFormer(
	options: SupervisorOptions,
	person: PersonAsker,
	region: LiveRegion,
): Promise<string | undefined> {
	const sessions = await listFormerSessions(options);
	region.print(`${formatSessions(sessions, systemClock.now())}\n`);
	if (sessions.length === 0) return undefined;
	return pickSession(await person.line("Which one (number or id; nothing for a new one)? "), sessions);
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

async function talk(parts: Talk): Promise<TalkEnd> {
	const { flags, terminal, rl, region, supervisor, lead } = parts;
	const { stdout, colors } = terminal;
	const left = createDeferred<TalkEnd>();
	const leave = (code: number) => left.resolve({ code });
	let leaving = false;
	const offSignals = onSignals((signal) => {
		if (signal !== "SIGINT") leave(SIGNAL_EXIT[signal]);
	});
	const onInterrupt = () => {
		if (lead.busy) {
			lead.interrupt("interrupted by the user");
		} else if (leaving) {
			leave(EXIT.interrupted);
		} else {
			leaving = true;
			region.print(`\n${colors.dim("Press Ctrl-C again to leave.")}\n`);
			rl.prompt();
		}
	};
	const onClose = () => leave(EXIT.ok);
	const hideLead = showLeadEvents(lead, region, { colors, verbose: flags.verbose, onRest: () => rl.prompt() });
	const progress = showProgress(supervisor, region);

	async function command(text: string): Promise<void> {
		if (/^\/resume(\s|$)/.test(text)) return resume(text.slice("/resume".length));
		const said = await runCommand(text, { supervisor, lead }).catch((thrown: unknown) => `Error: ${messageOf(thrown)}`);
		if (said !== "") region.print(`${said}\n`);
		rl.prompt();
	}

	async function resume(wanted: string): Promise<void> {
		const sessions = (await supervisor.sessions()).filter(({ id }) => id !== supervisor.sessionId);
		if (wanted.trim() === "") region.print(`${formatSessions(sessions, systemClock.now())}\n`);
		const ask = wanted.trim() === "" && sessions.length > 0;
		const answer = ask ? await parts.person.line("Which one (number or id; nothing to stay)? ") : wanted;
		const id = pickSession(answer, sessions);
		const next = id === undefined ? undefined : await parts.open(id);
		if (next) left.resolve({ next });
		else rl.prompt();
	}

	const onLine = (line: string) => {
		leaving = false;
		const text = line.trim();
		if (LEAVE.has(text)) return leave(EXIT.ok);
		if (text === "") return rl.prompt();
		void (text.startsWith("/") ? command(text) : lead.prompt(text));
	};
	rl.on("SIGINT", onInterrupt).on("close", onClose).on("line", onLine);
	stdout.write(`🐱 Clowder ${VERSION} · ${lead.model} · ${process.cwd()}\n`);
	stdout.write(`${colors.dim("/help lists the commands; exit leaves.")}\n`);
	if (parts.firstPrompt === undefined) rl.prompt();
	else void lead.prompt(parts.firstPrompt);

	const end = await left.promise;
	rl.off("SIGINT", onInterrupt).off("close", onClose).off("line", onLine);
	hideLead();
	progress.stop();
	offSignals();
	stdout.write("\n");
	return end;
}
