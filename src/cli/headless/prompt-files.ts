// The flags that name a file in the place of a text.

import { readFile } from "node:fs/promises";
import { messageOf } from "../../errors.ts";
import { UsageError } from "../failure.ts";
import type { Flags } from "../flags.ts";

/** The flags with the texts of the files. @throws UsageError */
export async function withPromptFiles(flags: Flags): Promise<Flags> {
	return {
		...flags,
		systemPrompt: await textOf("--system-prompt", flags.systemPrompt, flags.systemPromptFile),
		appendSystemPrompt: await textOf("--append-system-prompt", flags.appendSystemPrompt, flags.appendSystemPromptFile),
	};
}

async function textOf(flag: string, text: string | undefined, file: string | undefined): Promise<string | undefined> {
	if (file === undefined) return text;
	if (text !== undefined) throw new UsageError(`${flag} and ${flag}-file exclude each other; give one of them`);
	try {
		return (await readFile(file, "utf8")).trimEnd();
	} catch (thrown) {
		throw new UsageError(`${flag}-file cannot be read: ${messageOf(thrown)}`);
	}
}
