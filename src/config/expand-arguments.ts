// Puts a slash command's arguments into its text.

import { type TemplatePart, templateParts } from "./command-template.ts";

const PLACEHOLDER = /\$ARGUMENTS(?![A-Za-z0-9_])|\$([1-9])(?!\d)/g;

/**
 * Replaces `$ARGUMENTS` by everything that was typed and `$1` … `$9` by its words (quotes keep words together; a
 * word that was not given is empty). Text without a placeholder gets the arguments appended.
 */
export function expandArguments(template: string, typed: string): string {
	const [part] = fillIn([{ kind: "text", text: template }], typed);
	return part?.text ?? "";
}

/**
 * The same for a template whose commands are to be run. A command is one because the template says so: what stands in
 * the arguments never becomes one.
 */
export function expandTemplate(template: string, typed: string): readonly TemplatePart[] {
	return fillIn(templateParts(template), typed);
}

function fillIn(parts: readonly TemplatePart[], typed: string): TemplatePart[] {
	const all = typed.trim();
	let used = false;
	const words = splitWords(all);
	// One pass: a placeholder inside an argument is plain text.
	const expanded = parts.map(({ kind, text }) => ({
		kind,
		text: text.replace(PLACEHOLDER, (_, position: string | undefined) => {
			used = true;
			return position === undefined ? all : (words[Number(position) - 1] ?? "");
		}),
	}));
	if (used || all === "") return expanded;
	const appended = `\n\nARGUMENTS: ${all}`;
	const last = expanded.at(-1);
	if (last?.kind !== "text") return [...expanded, { kind: "text", text: appended }];
	return [...expanded.slice(0, -1), { kind: "text", text: last.text + appended }];
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
