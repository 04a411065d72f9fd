// Keeps a text that is too long for the history to its start, with the whole in a file.

import { writeFile } from "node:fs/promises";
import { messageOf } from "../../errors.ts";

/** The text, or its start and a note that names the file with all of it. */
export async function clipText(text: string, maxCharacters: number, filePath: string): Promise<string> {
	if (text.length <= maxCharacters) return text;
	const start = text.slice(0, maxCharacters);
	const left = text.length - maxCharacters;
	try {
		await writeFile(filePath, text, { mode: 0o600 });
		return `${start}\n\n... [${left} characters left out; the whole text is in ${filePath}]`;
	} catch (thrown) {
		return `${start}\n\n... [${left} characters left out; the whole text could not be saved: ${messageOf(thrown)}]`;
	}
}
