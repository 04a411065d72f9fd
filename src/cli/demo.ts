// `clowder demo [DIR]`: the main job on real input. With the offline model (rules, no LLM) it needs no key; with
// --model the same prompt goes to Claude.

import { access, constants, readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ClowderError } from "../errors.ts";
import { surveyPrompt } from "../model/offline/survey-prompts.ts";
import type { PromptResult } from "../runtime/agents/lead.ts";
import { currentFolder } from "../runtime/options/given-paths.ts";
import type { Supervisor } from "../runtime/supervisor.ts";
import { EXIT } from "./failure.ts";
import type { DemoFlags } from "./flags.ts";
import { showProgress } from "./repl/progress.ts";
import { openRegion } from "./terminal/open-region.ts";
import { plainText } from "./terminal/plain-text.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { formatTimeline } from "./timeline.ts";
import { withSupervisor } from "./with-supervisor.ts";

export async function runDemo(dir: string | undefined, flags: DemoFlags, terminal: Terminal): Promise<number> {
	const folder = await checkFolder(dir ?? ".");
	const model = flags.model ?? "offline";
	const options = {
		cwd: folder,
		model,
		maxConcurrent: flags.maxConcurrent ?? 8,
		// The survey only looks: listing folders is all it needs besides the read-only tools.
		permissions: { allow: ["Bash(ls *)"] },
		env: { ...terminal.env, HOME: terminal.env.HOME ?? homedir() },
		...(flags.stateDir === undefined ? {} : { stateDir: flags.stateDir }),
		onWarning: (text: string) => terminal.err(`clowder: ${plainText(text)}\n`),
	};
	return withSupervisor(options, async (supervisor, isSignalled) => {
		const progress = showProgress(supervisor, await openRegion(terminal.stderr));
		try {
			terminal.err(
				model === "offline"
					? `Surveying ${folder} with the offline model: rules, no LLM, no key.\n`
					: `Surveying ${folder} with ${model}.\n`,
			);
			const lead = await supervisor.startLead();
			await lead.prompt(surveyPrompt(folder));
			const last = await lead.settled();
			progress.stop();
			if (isSignalled()) return EXIT.failed;
			const code = report(supervisor, last, terminal);
			await tellLeftOut(folder, terminal);
			return code;
		} finally {
			progress.stop();
		}
	});
}

function report(supervisor: Supervisor, last: PromptResult, terminal: Terminal): number {
	terminal.out(`${plainText(last.finalText).trimEnd()}\n`);
	const runs = supervisor.runs().filter((record) => record.kind === "subagent");
	terminal.out(`\n${formatTimeline(runs, terminal.stdout.columns ?? 100)}`);
	if (last.reason === "done") return EXIT.ok;
	terminal.err(`clowder: ${plainText(last.error ?? `the survey ended: ${last.reason}`)}\n`);
	return EXIT.failed;
}

/** Folders that are no part of the survey because nobody could look into them. Deeper ones it notes itself. */
async function tellLeftOut(folder: string, terminal: Terminal): Promise<void> {
	for (const entry of await readdir(folder, { withFileTypes: true })) {
		if (!entry.isDirectory() || (await canList(join(folder, entry.name)))) continue;
		terminal.err(`clowder: left out, for it cannot be read: ${plainText(entry.name)}\n`);
	}
}

function canList(folder: string): Promise<boolean> {
	return access(folder, constants.R_OK | constants.X_OK).then(
		() => true,
		() => false,
	);
}

async function checkFolder(dir: string): Promise<string> {
	const folder = resolve(currentFolder(), dir);
	const found = await stat(folder).catch((thrown: NodeJS.ErrnoException) => thrown.code);
	const refuse = (why: string) =>
		new ClowderError("ERR_FILE", `${folder} ${why}`, { remedy: "Name a folder that can be read: clowder demo DIR" });
	if (typeof found !== "object") throw refuse(found === "ENOENT" ? "does not exist" : `cannot be read (${found})`);
	if (!found.isDirectory()) throw refuse("is not a folder");
	if (!(await canList(folder))) throw refuse("cannot be read");
	return folder;
}
