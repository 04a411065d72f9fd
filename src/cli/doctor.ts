// `clowder doctor`: what `/doctor` looks at, for a Clowder that may not be able to start.

import { homedir } from "node:os";
import { findProject } from "../config/project-folders.ts";
import { createTrustStore, decideProjectFiles } from "../config/trust.ts";
import { isClowderError } from "../errors.ts";
import { systemClock } from "../lib/clock.ts";
import { formatHealth } from "./commands/doctor.ts";
import { EXIT } from "./failure.ts";
import type { Flags } from "./flags.ts";
import { toSupervisorOptions } from "./supervisor-options.ts";
import { plainText } from "./terminal/plain-text.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { withSupervisor } from "./with-supervisor.ts";

export async function runDoctor(flags: Flags, terminal: Terminal): Promise<number> {
	const homeDir = terminal.env.HOME ?? homedir();
	const { root } = await findProject(process.cwd(), homeDir);
	const trusted = await createTrustStore({ homeDir, clock: systemClock }).isTrusted(root);
	const files = decideProjectFiles({ trusted, headless: false, noProjectSettings: !flags.projectSettings });
	// What could not be used is among what is found.
	const options = { ...toSupervisorOptions(flags, terminal, files), onWarning: () => {}, runSchedules: false };
	const examine = (model: string | undefined, problem?: string) =>
		withSupervisor({ ...options, ...(model === undefined ? {} : { model }) }, async (supervisor) => {
			const checks = (await supervisor.doctor()).map((check) =>
				check.name === "Model" && problem !== undefined ? { ...check, ok: false, detail: problem } : check,
			);
			terminal.out(`${plainText(formatHealth(checks).join("\n"))}\n`);
			return checks.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
		});
	try {
		return await examine(flags.model);
	} catch (thrown) {
		if (!isClowderError(thrown) || thrown.code !== "ERR_MODEL_CONFIG") throw thrown;
		// Without a key nothing starts; everything else can be looked at all the same.
		return examine("offline", thrown.message);
	}
}
