import { describe, expect, it } from "vitest";
import { compileMatcher, matcherFault } from "../../src/hooks/hook-matcher.ts";

describe("compileMatcher", () => {
	it.each([
		["", ["Bash"], true],
		["*", ["Bash"], true],
		["  ", ["Bash"], true],
		["Bash", ["Bash", "bash"], true],
		["bash", ["Bash", "bash"], true],
		["BASH", ["Bash", "bash"], false],
		["Bas", ["Bash"], false],
		["Edit|Write", ["Write"], true],
		["Edit|Write", ["Edit", "MultiEdit", "edit_file"], true],
		["Edit,Write", ["Write"], true],
		["Edit, Write", ["Write"], true],
		["Edit | Write", ["Write"], true],
		["Edit|Write", ["NotebookEdit"], false],
		["mcp__git", ["mcp__git__log"], false],
		["mcp__git__.*", ["mcp__git__log"], true],
		["mcp__.*__log$", ["mcp__git__log"], true],
		["^Notebook", ["NotebookEdit"], true],
		["Edit.*", ["NotebookEdit"], true],
		["^Edit.*", ["NotebookEdit"], false],
		["(Read|Grep)", ["Grep"], true],
		["[", ["["], false],
	])("takes %j and %j: %s", (matcher, names, matches) => {
		expect(compileMatcher(matcher)(names)).toBe(matches);
	});

	it("says what is wrong with a matcher", () => {
		expect(matcherFault("Edit|Write")).toBeUndefined();
		expect(matcherFault("mcp__.*")).toBeUndefined();
		expect(matcherFault("(")).toMatch(/^is no valid regular expression: /);
	});
});
