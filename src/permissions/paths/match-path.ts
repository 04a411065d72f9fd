// How a path rule meets a place. Deny and ask rules fit when any form of the place fits from any start;
// allow rules only when every form fits, so that no link leads out of what was allowed.

import { posix } from "node:path";
import { canMeet, concatHoled, type HoledText } from "../rules/holed-text.ts";
import type { Rule } from "../rules/rule.ts";
import { realPathOf } from "./file-system.ts";
import { namesBelow } from "./names-below.ts";
import { matchesSegments, type PathPattern, type PatternSegment, parsePathPattern } from "./path-pattern.ts";
import type { PathContext, Place } from "./place.ts";
import { inCopy, inOrigin } from "./tree-copy.ts";

/** Whether the rule's path pattern fits the place. Rules without a pattern fit every place. */
export function fitsPlace(rule: Rule, place: Place, context: PathContext): boolean {
	if (rule.spec.type !== "path") return rule.spec.type === "any";
	const isAllow = rule.kind === "allow";
	const fold = context.ignoreCase && !isAllow ? (text: string) => text.toLowerCase() : (text: string) => text;
	const pattern = foldPattern(rule.spec.pattern, fold);
	const starts = startsOf(pattern, rule, context);
	const folderOnly = pattern.folderOnly && isAllow;
	const fits = (form: string) =>
		starts.some(({ folder, segments }) => {
			const names = namesBelow(fold(folder), fold(form));
			return names !== undefined && matchesSegments(segments, names, folderOnly);
		});
	if (isAllow) return place.forms.every(fits);
	const originals = place.forms.flatMap((form) => inOrigin(form, context.copy) ?? []);
	return [...place.forms, ...originals].some(fits);
}

/** Whether a path that is only partly known (absolute, with holes) may be one that the rule fits. */
export function mayFitPath(rule: Rule, path: HoledText, context: PathContext): boolean {
	if (rule.spec.type !== "path") return rule.spec.type === "any";
	const fold = context.ignoreCase ? (text: string) => text.toLowerCase() : (text: string) => text;
	const pattern = foldPattern(rule.spec.pattern, fold);
	const [start, ...rest] = path;
	const original = inOrigin(start, context.copy);
	const paths = [path, ...(original === undefined ? [] : [[original, ...rest]])];
	const folded = paths.map((each) => each.map(fold) as [string, ...string[]]);
	return startsOf(pattern, rule, context).some(({ folder, segments }) => {
		const text = concatHoled([[fold(folder === "/" ? "" : folder)], ...segments.map(holedSegment)]);
		return folded.some((each) => canMeet(text, each) || canMeet(concatHoled([text, ["/", ""]]), each));
	});
}

/** A folder, and what a path below it must look like. */
export interface Start {
	readonly folder: string;
	readonly segments: readonly PatternSegment[];
}

/** Where a pattern begins: as written, where links lead, and in every folder that it holds for. */
export function startsOf(pattern: PathPattern, rule: Rule, context: PathContext): Start[] {
	const starts: Start[] = [];
	for (const folder of startFolders(pattern, rule, context)) {
		const base = goUp(folder, pattern.up);
		starts.push({ folder: base, segments: pattern.segments });
		const real = realPathOf(base, "/", context.files);
		if (real !== undefined && real !== base) starts.push({ folder: real, segments: pattern.segments });
		// A guarded folder that is a link is guarded where it leads. Never so for allow rules: the link may be a trap.
		if (rule.kind !== "allow") starts.push(...startBehindLinks(base, pattern.segments, context));
	}
	return starts;
}

function startBehindLinks(base: string, segments: readonly PatternSegment[], context: PathContext): Start[] {
	const wild = segments.findIndex((segment) => segment === "**" || segment.literal === undefined);
	const fixed = segments.slice(0, wild < 0 ? segments.length : wild);
	if (fixed.length === 0) return [];
	const path = posix.join(base, ...fixed.map((segment) => (segment === "**" ? "" : (segment.literal ?? ""))));
	const real = realPathOf(path, "/", context.files);
	return real === undefined || real === path ? [] : [{ folder: real, segments: segments.slice(fixed.length) }];
}

function startFolders(pattern: PathPattern, rule: Rule, context: PathContext): string[] {
	const { cwd, sessionCwd, homeDir } = context;
	if (pattern.start === "root") return ["/"];
	if (pattern.start === "home") return [homeDir];
	if (rule.kind === "allow") {
		return [pattern.start === "cwd" ? cwd : (inCopy(rule.source.root, context.copy) ?? rule.source.root)];
	}
	// An agent in a worktree works on a copy of the project: what is guarded here is guarded there.
	const root = rule.source.root;
	const copy = namesBelow(root, cwd) === undefined ? [cwd] : [];
	return [...new Set(pattern.start === "cwd" ? [cwd, sessionCwd] : [root, ...copy])];
}

function goUp(folder: string, levels: number): string {
	let path = folder;
	for (let level = 0; level < levels; level += 1) path = posix.dirname(path);
	return path;
}

function foldPattern(pattern: PathPattern, fold: (text: string) => string): PathPattern {
	const text = fold(pattern.text);
	if (text === pattern.text) return pattern;
	const folded = parsePathPattern(text);
	return typeof folded === "string" ? pattern : folded;
}

// Wider than the pattern: a star here also crosses slashes.
function holedSegment(segment: PatternSegment): HoledText {
	if (segment === "**") return ["", ""];
	const pieces: [string, ...string[]] = ["/"];
	for (const token of segment.tokens) {
		if (token.type === "char") pieces[pieces.length - 1] += token.char;
		else pieces.push("");
	}
	return pieces;
}
