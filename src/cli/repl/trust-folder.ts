// Asks once whether what the project's own files want to switch on may count.

import { homedir } from "node:os";
import { findProject, type ProjectFiles } from "../../config/project-folders.ts";
import { createTrustStore, decideProjectFiles } from "../../config/trust.ts";
import { systemClock } from "../../lib/clock.ts";
import { currentFolder } from "../../runtime/options/given-paths.ts";
import { loadProject } from "../../runtime/project.ts";
import type { Flags } from "../flags.ts";
import type { LiveRegion } from "../terminal/region.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { visibleLines } from "../terminal/visible-text.ts";
import type { PersonAsker } from "./ask-person.ts";

/** How far the project's files count. Rejects when the signal aborts. */
export async function filesThatCount(
	flags: Flags,
	terminal: Terminal,
	person: PersonAsker,
	region: LiveRegion,
	signal: AbortSignal,
): Promise<ProjectFiles> {
	const cwd = currentFolder();
	const homeDir = terminal.env.HOME ?? homedir();
	const { root } = await findProject(cwd, homeDir);
	const trust = createTrustStore({ homeDir, clock: systemClock });
	const decide = (trusted: boolean) =>
		decideProjectFiles({ trusted, headless: false, noProjectSettings: !flags.projectSettings });
	if (await trust.isTrusted(root)) return decide(true);
	const project = await loadProject({ cwd, homeDir, env: terminal.env, project: { files: decide(false) } });
	const { withheld } = project;
	if (withheld.length === 0) return decide(false);
	region.print(`The files of ${visibleLines(root).join("␊")} want to switch on:\n`);
	if (await person.yesNo("Do you trust this folder?", withheld, signal)) {
		await trust.trust(root);
		return decide(true);
	}
	region.print(
		`Left out: ${withheld.length === 1 ? "what is listed above" : `the ${withheld.length} listed above`}. ` +
			"What these files forbid or ask about counts. You are asked again at the next start; /doctor tells what waits.\n",
	);
	return decide(false);
}
