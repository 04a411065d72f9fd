// Puts a slash command's arguments into its text.

const PLACEHOLDER = /\$ARGUMENTS(?![A-Za-z0-9_])|\$([1-9])(?!\d)/g;

/**
 * Replaces `$ARGUMENTS` by everything that was typed and `$1` … `$9` by its words (quotes keep words together; a
 * word that was not given is empty). Text without a placeholder gets the arguments appended.
 */
export function expandArguments(template: string, typed: string): string {
	const all = typed.trim();
	let used = false;
	const words = splitWords(all);
	// One pass: a placeholder inside an argument is plain text.
	const expanded = template.replace(PLACEHOLDER, (_, position: string | undefined) => {
		used = true;
		return position === undefined ? all : (words[Number(position) - 1] ?? "");
	});
	return used || all === "" ? expanded : `${expanded}\n\nARGUMENTS: ${all}`;
}

/** Splits as a shell would, quotes and backslashes included; nothing is expanded. */
export function splitWords(text: string): string[] {
	const words: string[] = [];
	const pattern = /(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+)|(["'\\]))|(\s+)/gs;
	let word: string | undefined;
	for (const [, double, single, escaped, plain, stray, blank] of text.matchAll(pattern)) {
		if (blank !== undefined) {
			if (word !== undefined) words.push(word);
			word = undefined;
			continue;
		}
		const piece = double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? plain ?? stray ?? "";
		word = (word ?? "") + piece;
	}
	if (word !== undefined) words.push(word);
	return words;
}
