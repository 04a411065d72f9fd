// The texts that start a survey: `clowder demo` gives the first to the lead, the lead gives the second to each
// explore agent. Claude and the offline rules get exactly the same ones; the rules read their facts back from them.

import { renderPartReport } from "./part-report.ts";
import { type NamedScopes, type Part, type Scope, SKIPPED_TEXT } from "./parts.ts";
import { MAX_PARTS, MIN_PARTS } from "./plan-parts.ts";

/** Asks the lead for a survey of `dir`. */
export function surveyPrompt(dir: string): string {
	return `Survey the folder ${quote(dir)}: divide it among subagents and merge what they find into one report.

1. Look at the folder yourself first (glob, ls).
2. Start one subagent per part with the task tool, all in one message, with agent_type "explore" and in the background.
   Parts are the top-level folders that hold files, and the files in the root together. Split the biggest folder by its
   subfolders while there are fewer than ${MIN_PARTS} parts; with more than ${MAX_PARTS}, let one subagent share the smallest ones, and say so.
   Leave out ${SKIPPED_TEXT}.
3. Ask each for its languages, files, lines, entry points, exports, TODO/FIXME with path and line, largest files, and what
   it imports from other parts. Every figure must come from a tool, none from guessing.
4. End your turn while they work; you are told when each one ends. Do not poll.
5. When all have ended, answer with one Markdown report: a table with a row per part (part, languages, files, lines,
   TODO/FIXME, largest file, entry points, exports), a section per part, the imports between parts, and the parts that
   failed, with the reason.`;
}

/** Asks an explore agent for the report on one part. */
export function partPrompt(part: Part): string {
	return `Survey one part of a source tree and report on it. Only read; change nothing.

Tree: ${quote(part.root)}
Part: ${quote(part.name)}
${part.scopes.map((scope) => `- ${scopeText(scope)}`).join("\n")}
Other parts, for the imports:
${part.otherParts.map(otherPartText).join("\n") || "(none)"}

Leave out ${SKIPPED_TEXT}.
Paths in the report are relative to the tree. Every figure must come from a tool (glob, grep, read_file, bash), none from
guessing; where a listing was cut, look again in smaller pieces. What could not be read goes into the notes.

Answer with one Markdown report of exactly this shape; the figures are only an example:

${renderPartReport(EXAMPLE)}`;
}

/** The folder that a survey is asked of, or undefined when `prompt` asks for something else. */
export function parseSurveyPrompt(prompt: string): string | undefined {
	const quoted = /^survey (?:the )?(?:folder )?("(?:[^"\\]|\\.)*")/i.exec(prompt.trim())?.[1];
	if (quoted !== undefined) return unquote(quoted);
	const words = /^survey(?: (?:the )?(?:folder )?(\S[^\n]*))?$/i.exec(prompt.trim());
	return words ? (words[1] ?? ".").replace(/(?<=[\p{L}\p{N}])[.!]$/u, "") : undefined;
}

/** The part that `partPrompt` described, or undefined. */
export function parsePartPrompt(prompt: string): Part | undefined {
	const lines = prompt.split("\n");
	const treeAt = lines.findIndex((line) => line.startsWith("Tree: "));
	const root = unquote((lines[treeAt] ?? "").slice("Tree: ".length));
	const name = unquote((lines[treeAt + 1] ?? "").slice("Part: ".length));
	if (treeAt < 0 || root === undefined || name === undefined) return undefined;
	const scopes: Scope[] = [];
	const otherParts: NamedScopes[] = [];
	let inOthers = false;
	for (const line of lines.slice(treeAt + 2)) {
		if (line === "") break;
		if (line.startsWith("Other parts")) inOthers = true;
		else if (inOthers) otherParts.push(...parseOtherPart(line));
		else scopes.push(...parseScopes(line));
	}
	return scopes.length === 0 ? undefined : { root, name, scopes, otherParts };
}

function scopeText(scope: Scope): string {
	const folder = quote(scope.path === "" ? "." : scope.path);
	return scope.depth === "all" ? `everything below ${folder}` : `the files directly in ${folder}`;
}

function otherPartText(part: NamedScopes): string {
	return `- ${quote(part.name)} is ${part.scopes.map(scopeText).join(", ")}`;
}

function parseOtherPart(line: string): NamedScopes[] {
	const match = /^- ("(?:[^"\\]|\\.)*") is (.*)$/.exec(line);
	const name = unquote(match?.[1] ?? "");
	return name === undefined ? [] : [{ name, scopes: parseScopes(match?.[2] ?? "") }];
}

function parseScopes(text: string): Scope[] {
	return [...text.matchAll(/(everything below|the files directly in) ("(?:[^"\\]|\\.)*")/g)].flatMap((match) => {
		const path = unquote(match[2] ?? "");
		if (path === undefined) return [];
		return [{ path: path === "." ? "" : path, depth: match[1] === "everything below" ? "all" : "direct" } as const];
	});
}

// JSON strings: one line each, whatever the name holds.
function quote(text: string): string {
	return JSON.stringify(text).replace(
		/[\u2028\u2029\u0085]/g,
		(c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
}

function unquote(text: string): string | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "string" ? value : undefined;
	} catch {
		return undefined;
	}
}

const EXAMPLE = {
	part: "src",
	totals: { files: 3, lines: 240, todos: 1, exports: 7, entryPoints: 1, emptyOrBinary: 1 },
	purpose: [{ place: "src/README.md", text: "The parser and its command line." }],
	languages: [
		{ language: "TypeScript", files: 2, lines: 240 },
		{ language: "images", files: 1, lines: 0 },
	],
	entryPoints: [{ place: "src/cli.ts:1", text: "#!/usr/bin/env node" }],
	exports: [{ path: "src/parse.ts", count: 7 }],
	todos: [{ place: "src/parse.ts:12", text: "// TODO: report the column too" }],
	largestFiles: [
		{ path: "src/parse.ts", lines: 200 },
		{ path: "src/cli.ts", lines: 40 },
	],
	imports: [{ part: "lib", count: 2, example: "src/parse.ts:3" }],
	notes: ["src/logo.png is binary"],
};
