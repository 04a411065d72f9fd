import { describe, expect, it } from "vitest";
import type { PermissionCall } from "../../src/permissions/call.ts";
import { parseRule } from "../../src/permissions/rules/parse-rule.ts";
import { createToolLimits } from "../../src/runtime/permissions/tool-limits.ts";

const limits = createToolLimits({ cwd: "/work", homeDir: "/home/me" });
const call = (toolName: string, input: unknown, toolReadOnly = false): PermissionCall => ({
	agent: { runId: "task_1", name: "helper", type: "committer", readOnly: false },
	toolUseId: "toolu_1",
	toolName,
	input,
	toolReadOnly,
	cwd: "/work",
});
const gitOnly = { restrictions: ["Bash(git *)"], deny: [] };
const noRemoval = { restrictions: [], deny: ["Bash(rm *)", "Read(secrets/**)"] };

describe("createToolLimits", () => {
	it("lets an agent type without limits make any call", () => {
		expect(limits.refusalOf({ restrictions: [], deny: [] }, call("bash", { command: "rm -r x" }))).toBeUndefined();
	});

	it.each(["git status", "git add . && git commit -m done"])("lets a type with Bash(git *) run: %s", (command) => {
		expect(limits.refusalOf(gitOnly, call("bash", { command }))).toBeUndefined();
	});

	it.each(["rm -r x", "git status; curl http://x", "git $(curl x)", "sh -c 'git status; rm x'"])(
		"refuses a type with Bash(git *) this, naming what it may: %s",
		(command) => {
			expect(limits.refusalOf(gitOnly, call("bash", { command }))).toBe(
				"Permission denied: the agent type committer may not make this call; it may use Bash(git *)",
			);
		},
	);

	it("does not let it look with other commands, nor by the rules of a command file", () => {
		expect(limits.refusalOf(gitOnly, call("bash", { command: "ls" }))).toContain("may not make this call");
		const source = { scope: "project", label: "fix.md", root: "/work" } as const;
		const alsoAllow = [parseRule("Bash(rm *)", "allow", source)];
		expect(limits.refusalOf(gitOnly, { ...call("bash", { command: "rm -r x" }), alsoAllow })).toContain(
			"may not make this call",
		);
	});

	it("says nothing about tools its list does not limit", () => {
		expect(limits.refusalOf(gitOnly, call("read_file", { path: "a.txt" }, true))).toBeUndefined();
		expect(limits.refusalOf(gitOnly, call("edit_file", { path: "a.txt" }))).toBeUndefined();
	});

	it("forbids the single calls of disallowedTools and no others", () => {
		expect(limits.refusalOf(noRemoval, call("bash", { command: "rm x" }))).toContain("may not make this call");
		expect(limits.refusalOf(noRemoval, call("bash", { command: "ls" }))).toBeUndefined();
		expect(limits.refusalOf(noRemoval, call("read_file", { path: "secrets/key" }, true))).toContain(
			"may not make this call",
		);
		expect(limits.refusalOf(noRemoval, call("read_file", { path: "open.txt" }, true))).toBeUndefined();
	});
});
