// The interactive session on plain readline: what comes before the first conversation (trust, which one to go on with),
// one conversation after another (talk.ts), and what is said at the end.

import { messageOf } from "../../errors.ts";
import { systemClock } from "../../lib/clock.ts";
import { assembleSupervisor } from "../../runtime/assemble-supervisor.ts";
import type { SupervisorOptions } from "../../runtime/options/options.ts";
import { listFormerSessions } from "../../runtime/sessions/former-sessions.ts";
import { noteStuckThreads } from "../exit.ts";
import { EXIT } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { inFlags } from "../in-flags.ts";
import { toLeadOptions } from "../lead-options.ts";
import { onSignals, SIGNAL_EXIT } from "../signals.ts";
import { toSupervisorOptions } from "../supervisor-options.ts";
import { createLineInput, type LineInput } from "../terminal/line-input.ts";
import { createLiveRegion } from "../terminal/live-region.ts";
import { oneLine, plainText } from "../terminal/plain-text.ts";
import type { LiveRegion } from "../terminal/region.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { VERSION } from "../version.ts";
import { createPersonAsker, type PersonAsker } from "./ask-person.ts";
import { showLastExchange } from "./last-exchange.ts";
import { askForSession } from "./pick-session.ts";
import { type Opened, talk } from "./talk.ts";
import { filesThatCount } from "./trust-folder.ts";

interface Parts {
	readonly flags: Flags;
	readonly terminal: Terminal;
	readonly input: LineInput;
	readonly region: LiveRegion;
	readonly person: PersonAsker;
}

export async function runRepl(flags: Flags, terminal: Terminal): Promise<number> {
	const { stdin, stdout, colors } = terminal;
	const input = createLineInput(stdin, stdout);
	const below = { hide: input.hide, show: input.show, wantedRows: 0 };
	const region = createLiveRegion(stdout, below);
	input.beforeOutput = region.clear;
	const person = createPersonAsker(input, region, colors);
	// While a person decides, what the question is about stays on the screen.
	Object.defineProperty(below, "wantedRows", { get: () => (person.isAsking ? region.rows : 1) });
	try {
		return await converse({ flags, terminal, input, region, person });
	} finally {
		input.close();
	}
}

async function converse(parts: Parts): Promise<number> {
	const { flags, terminal, input, region, person } = parts;
	const begun = await untilLeft(input, (left) => begin(parts, left));
	if ("code" in begun) return begun.code;
	const { options, opened: first } = begun.result;
	let opened = first;
	let firstPrompt = flags.prompt;
	try {
		greet(terminal, opened);
		for (let isResumed = options.resume !== undefined; ; isResumed = true) {
			if (isResumed) await showLastExchange(opened.supervisor, region, terminal.colors);
			const end = await talk({
				...{ ...opened, flags, terminal, input, region, person, firstPrompt },
				open: (resume) =>
					open(parts, { ...withoutSession(options), resume, forkSession: false }).catch((thrown: unknown) => {
						region.print(`${terminal.colors.red(`Error: ${oneLine(inFlags(messageOf(thrown)), 300)}`)}\n`);
						return undefined;
					}),
			});
			if ("code" in end) {
				await sayHowToComeBack(opened, parts);
				return end.code;
			}
			await closeOne(opened);
			opened = end.next;
			greet(terminal, opened);
			firstPrompt = undefined;
		}
	} finally {
		await closeOne(opened);
	}
}

/** Runs what comes before the first conversation; Ctrl-C, the end of input and signals leave it. */
async function untilLeft<Result>(
	input: LineInput,
	work: (left: AbortSignal) => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly code: number }> {
	const left = new AbortController();
	let code: number | undefined;
	const leave = (with_: number) => {
		code ??= with_;
		left.abort(new Error("the person left"));
	};
	const offInterrupt = input.onInterrupt((key) => void (key === "ctrl-c" && leave(EXIT.interrupted)));
	const offSignals = onSignals((signal) => leave(SIGNAL_EXIT[signal]));
	void input.closed.then(() => leave(EXIT.ok));
	try {
		return { result: await work(left.signal) };
	} catch (thrown) {
		if (code === undefined) throw thrown;
		return { code };
	} finally {
		offInterrupt();
		offSignals();
	}
}

async function begin(parts: Parts, left: AbortSignal) {
	const { flags, terminal, person, region } = parts;
	const files = await filesThatCount(flags, terminal, person, region, left);
	const given = toSupervisorOptions(flags, terminal, files);
	const picked = flags.resume === true ? await pickFormer(given, parts, left) : undefined;
	left.throwIfAborted();
	const options = picked === undefined ? given : { ...withoutSession(given), resume: picked };
	return { options, opened: await open(parts, options) };
}

async function open({ flags, terminal, person, region }: Parts, session: SupervisorOptions): Promise<Opened> {
	const supervisor = await assembleSupervisor({
		...session,
		permissions: { ...session.permissions, onRequest: person.permission },
		askUser: person.question,
		onWarning: (text) => region.print(`${terminal.colors.dim(plainText(inFlags(text)))}\n`),
	});
	return { supervisor, lead: await supervisor.startLead(toLeadOptions(flags)) };
}

function withoutSession({ sessionId: _ofTheFirst, ...others }: SupervisorOptions): SupervisorOptions {
	return others;
}

async function pickFormer(
	options: SupervisorOptions,
	{ person, region }: Parts,
	signal: AbortSignal,
): Promise<string | undefined> {
	const sessions = await listFormerSessions(options);
	return askForSession("", sessions, { person, region, signal, nowMs: systemClock.now(), none: "for a new one" });
}

function greet({ stdout, colors }: Terminal, { lead }: Opened): void {
	stdout.write(`🐱 Clowder ${VERSION} · ${oneLine(`${lead.model} · ${process.cwd()}`, 300)}\n`);
	stdout.write(`${colors.dim("/help lists the commands; exit leaves.")}\n`);
}

async function sayHowToComeBack({ supervisor }: Opened, { flags, terminal }: Parts): Promise<void> {
	const { sessionId } = supervisor;
	if (!(await supervisor.sessions()).some(({ id }) => id === sessionId)) return;
	const stateDir = flags.stateDir === undefined ? "" : `--state-dir ${flags.stateDir} `;
	terminal.stdout.write(`${terminal.colors.dim(`Resume with: clowder ${stateDir}-r ${sessionId}`)}\n`);
}

async function closeOne({ supervisor, lead }: Opened): Promise<void> {
	await lead.close("the person left", "prompt_input_exit");
	await supervisor.close();
	if (supervisor.status().lostThreads > 0) noteStuckThreads();
}
