// The conversation at a terminal, on plain readline. While the lead works, its text and the subagents' progress
// appear; Ctrl-C stops the turn and keeps the conversation; a second one, exit, quit, q or EOF leaves.

import { createInterface, type Interface } from "node:readline";
import { createDeferred } from "../lib/deferred.ts";
import { createSupervisor } from "../runtime/create-supervisor.ts";
import type { Lead } from "../runtime/lead.ts";
import type { Supervisor } from "../runtime/supervisor.ts";
import { noteStuckThreads } from "./exit.ts";
import { EXIT } from "./failure.ts";
import type { Flags } from "./flags.ts";
import { toLeadOptions } from "./lead-options.ts";
import { showLeadEvents } from "./lead-view.ts";
import { createLiveRegion } from "./live-region.ts";
import { showProgress } from "./progress.ts";
import { runCommand } from "./repl-commands.ts";
import { onSignals, SIGNAL_EXIT } from "./signals.ts";
import { toSupervisorOptions } from "./supervisor-options.ts";
import type { Terminal } from "./terminal.ts";
import { VERSION } from "./version.ts";

const PROMPT = "> ";
const LEAVE = new Set(["exit", "quit", "q", "/exit", "/quit"]);

export async function runRepl(flags: Flags, terminal: Terminal): Promise<number> {
	const supervisor = await createSupervisor(toSupervisorOptions(flags, terminal));
	try {
		const lead = await supervisor.startLead(toLeadOptions(flags));
		return await talk({ flags, terminal, supervisor, lead });
	} finally {
		await supervisor.close();
		if (supervisor.status().lostThreads > 0) noteStuckThreads();
	}
}

interface Talk {
	readonly flags: Flags;
	readonly terminal: Terminal;
	readonly supervisor: Supervisor;
	readonly lead: Lead;
}

async function talk({ flags, terminal, supervisor, lead }: Talk): Promise<number> {
	const { stdin, stdout, colors } = terminal;
	const region = createLiveRegion(stdout);
	const rl = createInterface({ input: stdin, output: stdout, prompt: PROMPT, historySize: 500 });
	const left = createDeferred<number>();
	let leaving = false;
	const offSignals = onSignals((signal) => {
		if (signal !== "SIGINT") left.resolve(SIGNAL_EXIT[signal]);
	});
	rl.on("SIGINT", () => {
		if (lead.busy) {
			lead.interrupt("interrupted by the user");
			leaving = false;
		} else if (leaving) {
			left.resolve(EXIT.interrupted);
		} else {
			leaving = true;
			region.print(`\n${colors.dim("Press Ctrl-C again to leave.")}\n`);
			rl.prompt();
		}
	});
	rl.on("close", () => left.resolve(EXIT.ok));
	const view = showLeadEvents(lead, region, { colors, verbose: flags.verbose, onRest: () => rl.prompt() });
	const progress = showProgress(supervisor, region);

	stdout.write(
		`🐱 Clowder ${VERSION} · ${lead.model} · ${process.cwd()}\n${colors.dim("/help lists the commands; exit leaves.")}\n`,
	);
	if (flags.prompt !== undefined) await ask(flags.prompt);
	else rl.prompt();

	rl.on("line", (line) => {
		leaving = false;
		const text = line.trim();
		if (LEAVE.has(text)) return left.resolve(EXIT.ok);
		if (text === "") return rl.prompt();
		void (text.startsWith("/") ? command(text) : ask(text));
	});

	async function ask(text: string): Promise<void> {
		await lead.prompt(text);
	}

	async function command(text: string): Promise<void> {
		const said = await runCommand(text, { supervisor, lead }).catch((thrown: unknown) => `Error: ${String(thrown)}`);
		if (said !== "") region.print(`${said}\n`);
		rl.prompt();
	}

	const code = await left.promise;
	view();
	progress.stop();
	offSignals();
	closeInput(rl);
	stdout.write("\n");
	return code;
}

function closeInput(rl: Interface): void {
	rl.removeAllListeners("close");
	rl.close();
}
