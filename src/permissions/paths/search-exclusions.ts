// What a search of a whole folder must leave out, because a deny rule hides it: the search itself is judged by the
// folder it starts in. As glob patterns relative to that folder, for `rg --glob '!…'`.

import type { Rule } from "../rules/rule.ts";
import { coversTool } from "../rules/selector.ts";
import { startsOf } from "./match-path.ts";
import { namesBelow } from "./names-below.ts";
import { matchesSegments, type PatternSegment, restBelow } from "./path-pattern.ts";
import type { PathContext } from "./place.ts";
import { inOrigin } from "./tree-copy.ts";

/** Patterns in gitignore syntax for everything below `folder` that Read rules deny. */
export function searchExclusions(rules: readonly Rule[], context: PathContext, folder = context.cwd): string[] {
	const patterns = new Set<string>();
	// Relative to the same folder of the original they are what holds in the copy.
	const original = inOrigin(folder, context.copy);
	const folders = original === undefined ? [folder] : [folder, original];
	for (const rule of rules) {
		if (rule.kind !== "deny" || rule.spec.type !== "path" || !coversTool(rule, "grep")) continue;
		for (const start of startsOf(rule.spec.pattern, rule, context)) {
			for (const each of folders) {
				for (const pattern of relativeTo(each, start.folder, start.segments)) patterns.add(pattern);
			}
		}
	}
	return [...patterns];
}

function relativeTo(cwd: string, folder: string, segments: readonly PatternSegment[]): string[] {
	const below = namesBelow(cwd, folder);
	if (below !== undefined) return [`/${[...below.map(escapeName), ...segments.map(textOf)].join("/")}`];
	const above = namesBelow(folder, cwd);
	if (above === undefined) return [];
	if (matchesSegments(segments, above, false)) return ["/**"];
	return restBelow(segments, above).map((rest) => `/${rest.map(textOf).join("/")}`);
}

function textOf(segment: PatternSegment): string {
	return segment === "**" ? "**" : segment.text;
}

function escapeName(name: string): string {
	return name.replace(/[\\*?[\]]/g, "\\$&");
}
