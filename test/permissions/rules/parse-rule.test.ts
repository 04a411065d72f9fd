import { describe, expect, it } from "vitest";
import { parseRule, parseRules } from "../../../src/permissions/rules/parse-rule.ts";
import { withoutUntrustedAllows } from "../../../src/permissions/rules/rule.ts";
import { coversTool } from "../../../src/permissions/rules/selector.ts";
import { toolsDenied } from "../../../src/permissions/rules/tools-denied.ts";
import { SOURCE } from "../harness.ts";

const TOOLS = [
	"read_file",
	"write_file",
	"edit_file",
	"glob",
	"grep",
	"bash",
	"task",
	"todo_write",
	"web_fetch",
	"spawn_teammate",
	"mcp__git__log",
	"mcp__git__push",
	"mcp__gitlab__log",
	"deploy",
];
const covered = (text: string, kind: "allow" | "deny" = "allow") => {
	const rule = parseRule(text, kind, SOURCE);
	return TOOLS.filter((tool) => coversTool(rule, tool));
};

describe("parseRule", () => {
	it.each([
		["Bash", ["bash"]],
		["bash", ["bash"]],
		["Bash(*)", ["bash"]],
		["Read", ["read_file", "glob", "grep"]],
		["read_file(src/**)", ["read_file", "glob", "grep"]],
		["Edit", ["write_file", "edit_file"]],
		["MultiEdit", ["write_file", "edit_file"]],
		["Write", ["write_file"]],
		["Write(docs/**)", ["write_file", "edit_file"]],
		["Grep", ["grep"]],
		["Grep(src/**)", ["grep"]],
		["Glob", ["glob"]],
		["Task", ["task"]],
		["Agent(Explore)", ["task"]],
		["TodoWrite", ["todo_write"]],
		["WebFetch(domain:example.com)", ["web_fetch"]],
		["mcp__git", ["mcp__git__log", "mcp__git__push"]],
		["mcp__git__*", ["mcp__git__log", "mcp__git__push"]],
		["mcp__git__log", ["mcp__git__log"]],
		["mcp__git__l*", ["mcp__git__log"]],
		["deploy", ["deploy"]],
		["Unheard", []],
	])("knows which tools %s is about", (text, tools) => {
		expect(covered(text)).toEqual(tools);
	});

	it("bars teammates of an agent type too, but allows only subagents", () => {
		expect(covered("Agent(Explore)", "deny")).toEqual(["task", "spawn_teammate"]);
	});

	it.each([
		["", "it names no tool"],
		["(x)", "it names no tool"],
		["Bash(", "the closing parenthesis is missing"],
		["Bash(npm test", "the closing parenthesis is missing"],
		["Bash()", "there is nothing between the parentheses; write Bash for every call"],
		["Bash( )", "there is nothing between the parentheses; write Bash for every call"],
		["Bash(:*)", "there is no command before :*"],
		["two words", "'two words' is not a tool name"],
		["*", "'*' is not a tool name"],
		["Read(!src)", "patterns with ! cannot be used; write a rule of the other kind instead"],
		["Read(a/../b)", "'..' may stand at its beginning only"],
		["Edit(//../x)", "there is nothing above the root"],
		["WebFetch(example.com)", "write WebFetch(domain:example.com)"],
		["WebFetch(domain:)", "write WebFetch(domain:example.com)"],
		["WebFetch(domain:http://x)", "write WebFetch(domain:example.com)"],
		["TodoWrite(x)", "TodoWrite takes nothing in parentheses"],
		["mcp__git__push(force)", "mcp__git__push takes nothing in parentheses"],
		["Bash(rm *), Read(.env)", "it holds several rules; write each of them as a text of its own"],
		["Read(.env); mcp__git__push(x)", "it holds several rules; write each of them as a text of its own"],
		["Bash(rm:* -rf)", "no command is called 'rm:'; write 'rm *' or 'rm:*' for every call of rm"],
		["Bash(rm: *)", "no command is called 'rm:'; write 'rm *' or 'rm:*' for every call of rm"],
		[
			"Read(~ann/.ssh)",
			"another's home folder is not looked up; write the absolute path behind //, or ./ before a folder of that name",
		],
	])("refuses %j and says why", (text, reason) => {
		expect(() => parseRule(text, "deny", SOURCE)).toThrowError(
			expect.objectContaining({
				code: "ERR_PERMISSION_RULE",
				details: expect.objectContaining({ rule: text, kind: "deny", file: ".claude/settings.json", reason }),
			}),
		);
	});

	it.each([
		"Bash(rm:*)",
		"Bash(rm:* )",
		"Bash(: *)",
		"Bash(docker run image:* sh)",
		"Bash(echo a), b(c)",
		"Read(~/x)",
		"Read(~$*)",
		"Read(./~ann/x)",
		"Read(dir/~ann/x)",
	])("reads %j as it is meant", (text) => {
		expect(parseRule(text, "deny", SOURCE).text).toBe(text);
	});

	it("takes an allow rule for a command that looks like two rules", () => {
		expect(parseRule("Bash(echo 'Bash(x), Read(y)')", "allow", SOURCE).kind).toBe("allow");
	});

	it("names the rule, its file and the reason in the message", () => {
		expect(() => parseRule("Bash(", "ask", SOURCE)).toThrowError(
			"ask rule 'Bash(' in .claude/settings.json cannot be used: the closing parenthesis is missing. " +
				"Correct it or take it out",
		);
	});

	it("refuses a rule of endless length", () => {
		expect(() => parseRule(`Bash(${"a".repeat(5000)})`, "deny", SOURCE)).toThrowError("longer than 4000 characters");
	});
});

describe("parseRules", () => {
	it("loads the good rules beside the bad ones, deny first", () => {
		const { rules, errors } = parseRules(
			{ allow: ["Bash(npm test)", "Bash("], ask: ["WebFetch"], deny: ["Nope(x)", "Read(.env)", 7 as never] },
			SOURCE,
		);
		expect(rules.map((rule) => [rule.kind, rule.text])).toEqual([
			["deny", "Read(.env)"],
			["ask", "WebFetch"],
			["allow", "Bash(npm test)"],
		]);
		expect(errors.map((error) => error.details?.reason)).toEqual([
			"Nope takes nothing in parentheses",
			"it is not a text",
			"the closing parenthesis is missing",
		]);
	});
});

describe("withoutUntrustedAllows", () => {
	it("keeps a project's deny and ask rules, and everybody else's allow rules", () => {
		const lists = { allow: ["Bash(npm test)"], ask: ["WebFetch"], deny: ["Bash(rm *)"] };
		const rules = [
			...parseRules(lists, SOURCE).rules,
			...parseRules({ allow: ["Bash(git log *)"] }, { ...SOURCE, scope: "user" }).rules,
			...parseRules({ allow: ["Bash(ls)"] }, { ...SOURCE, scope: "flag" }).rules,
		];
		expect(withoutUntrustedAllows(rules).map((rule) => rule.text)).toEqual([
			"Bash(rm *)",
			"WebFetch",
			"Bash(git log *)",
			"Bash(ls)",
		]);
	});
});

describe("toolsDenied", () => {
	it("takes out what a bare deny rule is about, and nothing for rules with a pattern", () => {
		const { rules } = parseRules(
			{
				allow: ["Glob"],
				deny: ["Bash(*)", "Edit", "mcp__git", "Read(.env)", "Agent(Explore)", "WebFetch(domain:x.org)"],
			},
			SOURCE,
		);
		expect(toolsDenied(rules, TOOLS)).toEqual(["write_file", "edit_file", "bash", "mcp__git__log", "mcp__git__push"]);
	});
});
