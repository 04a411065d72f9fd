// Writes a person's lasting answers into the project's settings, and remembers that they are the person's: they need no
// trust in the folder at the next start, as rules do that came with it.

import { createOwnRules } from "../config/own-rules.ts";
import { messageOf } from "../errors.ts";
import { createSettingsWriter, type WriteAlwaysRules } from "../permissions/settings-writer.ts";

export interface AnswerWriterOptions {
	readonly homeDir: string;
	/** False: nothing is kept in the home folder, because nobody would look there. */
	readonly readsProject: boolean;
	onWarning(text: string): void;
}

export function createAnswerWriter(
	settingsFile: string,
	{ homeDir, readsProject, onWarning }: AnswerWriterOptions,
): WriteAlwaysRules {
	const write = createSettingsWriter(settingsFile);
	const own = createOwnRules(homeDir);
	return async (rules, kind = "allow") => {
		await write(rules, kind);
		if (kind !== "allow" || !readsProject) return;
		await own
			.remember(settingsFile, rules)
			.catch((thrown: unknown) =>
				onWarning(`The next start will ask about rules in ${settingsFile}: ${messageOf(thrown)}`),
			);
	};
}
