// One conversation at the terminal, from its opening to the person's leaving it. Ctrl-C and Escape stop the turn and keep
// the conversation; on an empty line a second Ctrl-C, exit, quit, q or EOF leaves.

import { isClowderError, messageOf } from "../../errors.ts";
import { soon, systemClock } from "../../lib/clock.ts";
import { createDeferred } from "../../lib/deferred.ts";
import type { Lead } from "../../runtime/agents/lead.ts";
import type { Supervisor } from "../../runtime/supervisor.ts";
import { runTyped } from "../expand-typed.ts";
import { EXIT } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { inFlags } from "../in-flags.ts";
import { onSignals, SIGNAL_EXIT } from "../signals.ts";
import type { InterruptKey, LineInput } from "../terminal/line-input.ts";
import { oneLine } from "../terminal/plain-text.ts";
import type { LiveRegion } from "../terminal/region.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrapText } from "../terminal/wrap-text.ts";
import type { PersonAsker } from "./ask-person.ts";
import { completeCommand } from "./complete-command.ts";
import { showLeadEvents } from "./lead-view.ts";
import { askForSession } from "./pick-session.ts";
import { showProgress } from "./progress.ts";
import { createQueuedPrompts } from "./queued-prompts.ts";
import { findCommand } from "./repl-commands.ts";

const LEAVE = new Set(["exit", "quit", "q", "/exit", "/quit"]);

export interface Opened {
	readonly supervisor: Supervisor;
	readonly lead: Lead;
}

export interface Talk extends Opened {
	readonly flags: Flags;
	readonly terminal: Terminal;
	readonly input: LineInput;
	readonly region: LiveRegion;
	readonly person: PersonAsker;
	/** Said at once, without the person. */
	readonly firstPrompt: string | undefined;
	/** Opens another conversation; what cannot be opened is told, and nothing changes. */
	open(sessionId: string): Promise<Opened | undefined>;
}

/** How a talk ends: the person leaves, or goes on with another conversation. */
export type TalkEnd = { readonly code: number } | { readonly next: Opened };

export async function talk(parts: Talk): Promise<TalkEnd> {
	const { flags, terminal, input, region, person, supervisor, lead } = parts;
	const { colors } = terminal;
	const left = createDeferred<TalkEnd>();
	const leave = (code: number) => left.resolve({ code });
	let leaving = false;
	// What waits is what was typed: it becomes a prompt when it is its turn.
	const speaker = {
		get busy() {
			return lead.busy;
		},
		prompt: async (typed: string) => {
			const said = await run(typed);
			show(said);
			// Nothing was asked, so no turn will end.
			if (said !== "") queue.sayNext();
		},
	};
	const queue = createQueuedPrompts(speaker, (text) =>
		region.print(`${colors.dim(`(queued: ${oneLine(text, 200)})`)}\n`),
	);

	function run(typed: string): Promise<string> {
		const tell = (note: string) => region.print(`${colors.dim(oneLine(note, 300))}\n`);
		return runTyped(typed, { supervisor, lead }, tell).catch((thrown: unknown) => {
			const code = isClowderError(thrown) ? thrown.code : undefined;
			if (code === "ERR_ABORTED") return "(interrupted)";
			// The person's own doing.
			return code === "ERR_CLOSED" ? "" : `Error: ${inFlags(messageOf(thrown))}`;
		});
	}

	function show(said: string): void {
		if (said !== "") region.print(`${wrapText(said, region.columns, "table")}\n`);
	}

	function takeBack(): void {
		const typed = queue.takeBack();
		if (typed !== "") input.putBack(typed);
	}

	function onInterrupt(key: InterruptKey): void {
		const wasLeaving = leaving;
		leaving = false;
		if (key === "cleared" || (key === "escape" && person.refuse())) return;
		if (lead.busy) {
			lead.interrupt("interrupted by the user");
			takeBack();
		} else if (key === "ctrl-c") {
			if (wasLeaving) return leave(EXIT.interrupted);
			leaving = true;
			region.print(`${colors.dim("Press Ctrl-C again to leave.")}\n`);
		}
	}

	async function command(text: string): Promise<void> {
		if (/^\/resume(\s|$)/.test(text)) return resume(text.slice("/resume".length));
		show(await run(text));
		// What waited for a turn that is cleared away is the person's again.
		if (/^\/c(lear)?(\s|$)/.test(text)) takeBack();
	}

	async function resume(wanted: string): Promise<void> {
		const sessions = (await supervisor.sessions()).filter(({ id }) => id !== supervisor.sessionId);
		const id = await askForSession(wanted, sessions, { person, region, nowMs: systemClock.now(), none: "to stay" });
		const next = id === undefined ? undefined : await parts.open(id);
		if (next) left.resolve({ next });
	}

	function onLine(line: string): void {
		leaving = false;
		const text = line.trim();
		if (LEAVE.has(text)) return leave(EXIT.ok);
		if (text === "") return;
		if (findCommand(text)) void command(text).catch(() => {});
		else queue.say(text);
	}

	const offSignals = onSignals((signal) => {
		if (signal !== "SIGINT") leave(SIGNAL_EXIT[signal]);
	});
	void input.closed.then(() => leave(EXIT.ok));
	// Order: what the lead does next is known once all who listen to its end have heard of it.
	const onRest = () => soon(() => void queue.sayNext());
	const hideLead = showLeadEvents(lead, region, { colors, verbose: flags.verbose || flags.debug, onRest });
	const progress = showProgress(supervisor, region, { lead, isAsking: () => person.isAsking });
	input.complete = (line) => completeCommand(line, supervisor);
	const offInterrupt = input.onInterrupt(onInterrupt, () => lead.busy);
	if (parts.firstPrompt !== undefined) queue.say(parts.firstPrompt);
	const offLine = input.onLine(onLine);
	input.show();

	const end = await left.promise;
	offLine();
	offInterrupt();
	input.complete = () => [];
	input.hide();
	hideLead();
	progress.stop();
	offSignals();
	return end;
}
