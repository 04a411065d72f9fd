// `clowder -p`: one prompt in, one answer out. Ends when the lead has nothing left to wait for.

import { decideProjectFiles } from "../../config/trust.ts";
import { messageOf } from "../../errors.ts";
import { systemClock } from "../../lib/clock.ts";
import type { Lead, PromptResult } from "../../runtime/agents/lead.ts";
import type { Supervisor } from "../../runtime/supervisor.ts";
import { readTyped } from "../expand-typed.ts";
import { EXIT, isUsageError, UsageError } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { toLeadOptions } from "../lead-options.ts";
import { showProgress } from "../repl/progress.ts";
import { toSupervisorOptions } from "../supervisor-options.ts";
import { openRegion } from "../terminal/open-region.ts";
import { oneLine } from "../terminal/plain-text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { withSupervisor } from "../with-supervisor.ts";
import { createFormatWriter } from "./formats.ts";
import { readPrompts } from "./read-input.ts";
import { failedStart, toHeadlessResult } from "./result.ts";
import { showVerbose } from "./verbose-view.ts";

export async function runHeadless(flags: Flags, terminal: Terminal): Promise<number> {
	// The caller of a headless run vouches for the folder, as in Claude Code.
	const filesThatCount = decideProjectFiles({
		trusted: false,
		headless: true,
		noProjectSettings: !flags.projectSettings,
	});
	if (flags.resume === true)
		throw new UsageError("--resume needs the id of a session here; --continue takes the latest");
	const leadOptions = toLeadOptions(flags);
	const options = toSupervisorOptions(flags, terminal, filesThatCount);
	const prompts = readPrompts(flags, terminal);
	// Order: bad usage is told before anything is started.
	const first = await prompts.next();
	let isStarted = false;
	try {
		return await withSupervisor({ ...options, runSchedules: false }, async (supervisor) => {
			const region = await openRegion(terminal.stderr);
			const progress = flags.outputFormat === "text" ? showProgress(supervisor, region) : undefined;
			try {
				const lead = await supervisor.startLead(leadOptions);
				isStarted = true;
				if (flags.verbose || flags.debug) {
					showVerbose(lead, { log: flags.debug, print: (line) => region.print(`${line}\n`) });
				}
				return await converse({ flags, terminal, supervisor, lead, first, prompts, progress });
			} finally {
				progress?.stop();
			}
		});
	} catch (thrown) {
		// As in Claude Code: who reads JSON gets JSON, also when there is no answer.
		if (!isStarted && flags.outputFormat !== "text" && !isUsageError(thrown)) {
			terminal.out(`${JSON.stringify(failedStart(messageOf(thrown), flags.sessionId))}\n`);
		}
		throw thrown;
	}
}

interface Talk {
	readonly flags: Flags;
	readonly terminal: Terminal;
	readonly supervisor: Supervisor;
	readonly lead: Lead;
	readonly first: IteratorResult<string>;
	readonly prompts: AsyncGenerator<string>;
	readonly progress: { stop(): void } | undefined;
}

async function converse({ flags, terminal, supervisor, lead, first, prompts, progress }: Talk): Promise<number> {
	const startedAt = systemClock.monotonicMs();
	const writer = createFormatWriter(flags.outputFormat, { flags, terminal, supervisor, lead });
	writer.start();
	lead.on(writer.leadEvent);
	supervisor.on("run-changed", writer.runChanged);
	let last: PromptResult = { reason: "done", finalText: "", woken: false };
	let badInput: UsageError | undefined;
	try {
		for (let next = first; !next.done; next = await prompts.next()) {
			last = await answer(next.value, { supervisor, lead, terminal });
		}
	} catch (thrown) {
		if (!(thrown instanceof UsageError)) throw thrown;
		badInput = thrown;
	}
	progress?.stop();
	tellOfJobs(supervisor, terminal);
	writer.end(toHeadlessResult(supervisor, lead, last, systemClock.monotonicMs() - startedAt));
	// Order: what was asked before the bad line has its answer.
	if (badInput) throw badInput;
	return last.reason === "done" ? EXIT.ok : EXIT.failed;
}

async function answer(line: string, { supervisor, lead, terminal }: Pick<Talk, "supervisor" | "lead" | "terminal">) {
	const typed = await readTyped(line, { supervisor, lead }, false);
	if (typed.kind === "said") return said(typed.text, typed.isError);
	for (const note of typed.notes) terminal.err(`clowder: ${oneLine(note, 300)}\n`);
	await lead.prompt(typed.text);
	return lead.settled();
}

function said(text: string, isError: boolean): PromptResult {
	const outcome = { finalText: text, woken: false };
	return isError ? { ...outcome, reason: "refused", error: text } : { ...outcome, reason: "done" };
}

// As in Claude Code: a run without a person waits for its subagents, but not for commands in the background.
function tellOfJobs(supervisor: Supervisor, terminal: Terminal): void {
	for (const job of supervisor.jobs.list().filter((each) => each.status === "running")) {
		terminal.err(`clowder: the background job ${job.id} is ended with this run: ${oneLine(job.command, 100)}\n`);
	}
}
