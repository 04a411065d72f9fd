// Finds `@path` imports in an instruction file. What stands in code is no import.

/** A path after `@` at the start of a word; a backslash keeps a blank in it. */
const IMPORT = /(?:^|[\s([{"'])@((?:[^\s\\`]|\\.)+)/g;

/** The import paths of a Markdown text, as written, in order, each once. */
export function findImports(markdown: string): string[] {
	const found = new Set<string>();
	for (const line of linesOutsideCode(markdown)) {
		for (const match of withoutCodeSpans(line).matchAll(IMPORT)) {
			const path = (match[1] ?? "").replace(/\\(.)/g, "$1");
			if (path !== "") found.add(path);
		}
	}
	return [...found];
}

/** A path may end a sentence: the readings of it to try, longest first. */
export function importCandidates(path: string): string[] {
	const trimmed = path.replace(/[.,;:!?)\]}"']+$/, "");
	return trimmed === path || trimmed === "" ? [path] : [path, trimmed];
}

function linesOutsideCode(markdown: string): string[] {
	const outside: string[] = [];
	let fence: string | undefined;
	let afterBlank = true;
	for (const line of markdown.split(/\r\n?|\n/)) {
		const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
		const ticks = mark?.[1] ?? "";
		if (fence !== undefined) {
			const closes = ticks.startsWith(fence) && mark?.[2]?.trim() === "";
			if (closes) fence = undefined;
		} else if (ticks !== "" && !(ticks.startsWith("`") && mark?.[2]?.includes("`"))) fence = ticks;
		// Indented code needs a blank line above it; without one the line goes on a paragraph or a list item.
		else if (!(afterBlank && /^(?: {4}|\t)/.test(line))) outside.push(line);
		afterBlank = line.trim() === "" || (afterBlank && /^(?: {4}|\t)/.test(line));
	}
	return outside;
}

// A span ends with as many backticks as it began with; backticks without a partner are text.
function withoutCodeSpans(line: string): string {
	return line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, " ");
}
