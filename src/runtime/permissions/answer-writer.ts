// Writes a person's lasting answers into the project's settings, and remembers that they are the person's: they need no
// trust in the folder at the next start, as rules do that came with it. git does not see the file.

import { createOwnRules } from "../../config/own-rules.ts";
import { messageOf } from "../../errors.ts";
import { createSettingsWriter, type WriteAlwaysRules } from "../../permissions/settings-writer.ts";
import { excludeFile } from "../../worktrees/exclude-file.ts";
import { createGit } from "../../worktrees/git.ts";
import type { ResolvedOptions } from "../options/options.ts";

export interface AnswerWriterOptions extends Pick<ResolvedOptions, "homeDir" | "env" | "clock" | "onWarning"> {
	/** False: nothing is kept in the home folder, because nobody would look there. */
	readonly readsProject: boolean;
}

export function createAnswerWriter(
	settingsFile: string,
	{ homeDir, readsProject, env, clock, onWarning }: AnswerWriterOptions,
): WriteAlwaysRules {
	const write = createSettingsWriter(settingsFile);
	const own = createOwnRules(homeDir);
	const git = createGit({ env, clock });
	let isExcluded: Promise<void> | undefined;
	return async (rules, kind = "allow") => {
		await write(rules, kind);
		if (kind === "allow" && readsProject) {
			await own
				.remember(settingsFile, rules)
				.catch((thrown: unknown) =>
					onWarning(`The next start will ask about rules in ${settingsFile}: ${messageOf(thrown)}`),
				);
		}
		// As in Claude Code: what a person has answered is not for their repository.
		isExcluded ??= excludeFile(git, settingsFile, "**/.clowder/settings.local.json");
		await isExcluded;
	};
}
