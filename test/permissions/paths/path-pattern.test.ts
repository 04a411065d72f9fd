import fc from "fast-check";
import ignore from "ignore";
import { describe, expect, it } from "vitest";
import { matchesSegments, parsePathPattern } from "../../../src/permissions/paths/path-pattern.ts";
import { matchesSegment, parseSegmentGlob } from "../../../src/permissions/paths/segment-glob.ts";

function fits(text: string, path: string): boolean {
	const pattern = parsePathPattern(text);
	if (typeof pattern === "string") throw new Error(pattern);
	return matchesSegments(pattern.segments, path.split("/"), pattern.folderOnly);
}

describe("path patterns", () => {
	it.each([
		[".env", ".env", true],
		[".env", "deep/down/.env", true],
		[".env", ".env.local", false],
		["./.env", ".env", true],
		["./.env", "sub/.env", false],
		["*.pem", "keys/a.pem", true],
		["src/*.ts", "src/a.ts", true],
		["src/*.ts", "src/deep/a.ts", false],
		["src/**", "src/a/b/c", true],
		["src/**", "src", false],
		["src", "src/a/b", true],
		["src/**/test", "src/test", true],
		["src/**/test", "src/a/b/test/x", true],
		["**/secret", "a/b/secret/c", true],
		["secrets/", "secrets/a", true],
		["secrets/", "secrets", false],
		["a?c", "abc", true],
		["a?c", "a/c", false],
		["[ab].txt", "b.txt", true],
		["[!ab].txt", "b.txt", false],
		["[a-c]x", "bx", true],
		["a[", "a[", true],
		["\\*", "*", true],
		["\\*", "x", false],
		["*", "any/thing", true],
	])("lets %j fit %j: %s", (pattern, path, expected) => {
		expect(fits(pattern, path)).toBe(expected);
	});

	it.each([
		["//etc/passwd", { start: "root", up: 0 }],
		["~/.ssh/**", { start: "home", up: 0 }],
		["~", { start: "home", up: 0 }],
		["/src/**", { start: "project", up: 0 }],
		["src/**", { start: "cwd", up: 0 }],
		["../shared/*", { start: "cwd", up: 1 }],
		["/../../x", { start: "project", up: 2 }],
	])("knows where %j starts", (text, expected) => {
		expect(parsePathPattern(text)).toMatchObject(expected);
	});

	it("agrees with gitignore on every pattern it takes", () => {
		const segment = fc.oneof(
			fc.constantFrom("**", "*", "a", "b", "a*", "*b", "a?", "[ab]"),
			fc.constantFrom("ab", "?"),
		);
		const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
		const path = fc
			.array(fc.constantFrom("a", "b", "ab", "aab", "c"), { minLength: 1, maxLength: 4 })
			.map((parts) => parts.join("/"));
		fc.assert(
			fc.property(pattern, path, fc.boolean(), (text, file, anchored) => {
				const written = anchored ? `./${text}` : text;
				const theirs = ignore().add(anchored ? `/${text}` : text);
				expect([written, file, fits(written, file)]).toEqual([written, file, theirs.ignores(file)]);
			}),
			{ numRuns: 300 },
		);
	});

	it("takes linear time for hostile patterns", () => {
		expect(matchesSegment(parseSegmentGlob("*a".repeat(400)), "a".repeat(200) + "b".repeat(55))).toBe(false);
		expect(fits(`${"**/a/".repeat(30)}b`, Array(200).fill("a").join("/"))).toBe(false);
	});
});
