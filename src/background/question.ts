// Whether the last thing a command printed is a question that waits for an answer.

const QUESTIONS: readonly RegExp[] = [
	/[([]\s*(y|yes)\s*[/|]\s*(n|no)\s*[)\]]\W*$/i,
	/\b(password|passphrase|user ?name|login|pin|token)\b[^\n]*:\s*$/i,
	/\b(press|hit)\s+(any key|enter|return|space)\b/i,
	/\b(continue|proceed|overwrite|replace|remove|delete|sure)\b[^\n]*\?\s*$/i,
	/\?\s*(\([^)\n]*\)|\[[^\]\n]*\])?\s*[:>]?\s*$/,
];

/**
 * The question at the end of an output, or undefined. A prompt stands in a line that is not finished, as a rule;
 * one with a line end counts only when it asks for yes or no, or for a key.
 */
export function findQuestion(output: string): string | undefined {
	const isOpenLine = !/[\r\n]\s*$/.test(output);
	const line =
		output
			.trimEnd()
			.split(/[\r\n]/)
			.at(-1)
			?.trim() ?? "";
	if (line === "" || line.length > 400) return undefined;
	const patterns = isOpenLine ? QUESTIONS : [QUESTIONS[0], QUESTIONS[2]];
	return patterns.some((pattern) => pattern?.test(line)) ? line : undefined;
}
