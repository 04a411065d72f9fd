import { describe, expect, it } from "vitest";
import { splitNames } from "../../src/config/name-list.ts";

describe("splitNames", () => {
	it.each([
		["Read, Write", ["Read", "Write"]],
		["  Read ,Write,, ", ["Read", "Write"]],
		["Read Write\nGrep", ["Read", "Write", "Grep"]],
		["Bash(git add, git commit *), Read", ["Bash(git add, git commit *)", "Read"]],
		["Bash (git *)", ["Bash(git *)"]],
		["Agent(a, b) Bash((x) y)", ["Agent(a, b)", "Bash((x) y)"]],
		["[Read, 'Write']", ["Read", "Write"]],
		["- Read\n- Write", ["Read", "Write"]],
		["• Read\n• Write", ["Read", "Write"]],
		["*", ["*"]],
		["mcp__a__*, mcp__b", ["mcp__a__*", "mcp__b"]],
		["", []],
		[
			["Read", ["Write", "Grep, Glob"], null],
			["Read", "Write", "Grep", "Glob"],
		],
		[7, undefined],
		[[{ Read: true }], undefined],
		[null, undefined],
	])("splits %j", (value, names) => {
		expect(splitNames(value)).toEqual(names);
	});
});
