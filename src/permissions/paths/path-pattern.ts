// Path patterns of Read and Edit rules: gitignore syntax behind one of four starting points.
// A pattern fits a path when it fits the path itself or any folder above it, as in gitignore.

import { matchesSegment, parseSegmentGlob, type SegmentGlob } from "./segment-glob.ts";

export interface PathPattern {
	/** As written. */
	readonly text: string;
	/** `//abs` from the file system's root, `~/home`, `/project` from the rule's project, else from the working folder. */
	readonly start: "root" | "home" | "project" | "cwd";
	/** How many folders above the start it begins (`../x`). */
	readonly up: number;
	readonly segments: readonly PatternSegment[];
	/** Written with a slash at the end: about a folder and what is in it. */
	readonly folderOnly: boolean;
}

/** `**` stands for any number of segments; at the end, for one or more. */
export type PatternSegment = SegmentGlob | "**";

const MAX_SEGMENTS = 64;

/** The pattern, or the reason why it is none. */
export function parsePathPattern(text: string): PathPattern | string {
	if (text.startsWith("!")) return "patterns with ! cannot be used; write a rule of the other kind instead";
	if (text.includes("\0")) return "the path holds a null character";
	const { start, rest } = splitStart(text);
	const parts = rest.split("/").filter((part) => part !== "" && part !== ".");
	let up = 0;
	while (parts[0] === "..") {
		parts.shift();
		up += 1;
	}
	if (parts.includes("..")) return "'..' may stand at its beginning only";
	if (parts.length > MAX_SEGMENTS) return `the path has more than ${MAX_SEGMENTS} parts`;
	if (up > 0 && start === "root") return "there is nothing above the root";
	const segments = parts.map((part) => (/^\*\*+$/.test(part) ? "**" : parseSegmentGlob(part)));
	// As in gitignore: a name without a slash fits at any depth.
	const floats = start === "cwd" && up === 0 && parts.length === 1 && !text.startsWith("./") && segments[0] !== "**";
	return {
		text,
		start,
		up,
		segments: floats ? ["**", ...segments] : segments,
		folderOnly: rest.length > 1 && rest.endsWith("/"),
	};
}

/**
 * Whether names below a pattern's start fit it. `folderOnly` refuses a fit of the last name itself, which may
 * be a file.
 */
export function matchesSegments(
	globs: readonly PatternSegment[],
	names: readonly string[],
	folderOnly: boolean,
): boolean {
	if (globs.length === 0) return true;
	// reached[i]: the first i globs can stand for exactly the names looked at so far.
	let reached = crossStars(globs, [true, ...globs.map(() => false)]);
	for (const [index, name] of names.entries()) {
		reached = crossStars(globs, step(globs, reached, name));
		const isWhole = index === names.length - 1;
		if (reached[globs.length] && !(isWhole && folderOnly)) return true;
	}
	return false;
}

/** What of the pattern is still to be met below a folder whose names are `names`; one entry per way to read it. */
export function restBelow(globs: readonly PatternSegment[], names: readonly string[]): (readonly PatternSegment[])[] {
	let reached = crossStars(globs, [true, ...globs.map(() => false)]);
	for (const name of names) reached = crossStars(globs, step(globs, reached, name));
	return globs.flatMap((_, at) => {
		const isRepeated = at > 0 && globs[at - 1] === "**" && reached[at - 1];
		return reached[at] && !isRepeated ? [globs.slice(at)] : [];
	});
}

function step(globs: readonly PatternSegment[], reached: readonly boolean[], name: string): boolean[] {
	const next = Array.from({ length: globs.length + 1 }, () => false);
	for (const [at, glob] of globs.entries()) {
		if (!reached[at]) continue;
		if (glob !== "**") next[at + 1] ||= matchesSegment(glob, name);
		else {
			next[at] = true;
			if (at === globs.length - 1) next[at + 1] = true;
		}
	}
	return next;
}

// A `**` may stand for no name at all, save at the end: `a/**` needs something below `a`.
function crossStars(globs: readonly PatternSegment[], reached: boolean[]): boolean[] {
	for (let at = 0; at < globs.length - 1; at += 1) {
		if (reached[at] && globs[at] === "**") reached[at + 1] = true;
	}
	return reached;
}

function splitStart(text: string): { start: PathPattern["start"]; rest: string } {
	if (text.startsWith("//")) return { start: "root", rest: text.slice(2) };
	if (text === "~" || text.startsWith("~/")) return { start: "home", rest: text.slice(1) };
	if (text.startsWith("/")) return { start: "project", rest: text.slice(1) };
	return { start: "cwd", rest: text };
}
