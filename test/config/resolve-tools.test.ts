import { describe, expect, it } from "vitest";
import { resolveTools } from "../../src/config/resolve-tools.ts";

const AVAILABLE = [
	"read_file",
	"write_file",
	"edit_file",
	"bash",
	"grep",
	"task",
	"send_message",
	"mcp__git__log",
	"mcp__git__push",
	"mcp__web__get",
];
const resolve = (tools?: string[], disallowedTools?: string[], always?: string[]) =>
	resolveTools(
		{ name: "a", ...(tools ? { tools } : {}), ...(disallowedTools ? { disallowedTools } : {}) },
		AVAILABLE,
		always ? { always } : {},
	);
const nothing = { kind: "resolved", restrictions: [], deny: [], unknown: [] };

describe("resolveTools", () => {
	it("gives every tool when none are named", () => {
		expect(resolve()).toEqual({ ...nothing, names: AVAILABLE });
		expect(resolve(["*"])).toEqual({ ...nothing, names: AVAILABLE });
	});

	it("gives none for an empty list", () => {
		expect(resolve([])).toEqual({ ...nothing, names: [] });
	});

	it("takes Claude Code's names and ours, and keeps the order of what is available", () => {
		expect(resolve(["Grep", "bash", "MultiEdit", "Read"])).toEqual({
			...nothing,
			names: ["read_file", "edit_file", "bash", "grep"],
		});
	});

	it("turns what stands in parentheses into restrictions", () => {
		expect(resolve(["Read", "Bash(git *)", "Bash(npm test)"])).toEqual({
			...nothing,
			names: ["read_file", "bash"],
			restrictions: ["Bash(git *)", "Bash(npm test)"],
		});
		expect(resolve(["Bash", "Bash(git *)"])).toEqual({ ...nothing, names: ["bash"] });
		expect(resolve(["Bash(*)"])).toEqual({ ...nothing, names: ["bash"] });
	});

	it("reads which agents it may start", () => {
		expect(resolve(["Agent(explore, plan)", "Task(code)"])).toEqual({
			...nothing,
			names: ["task"],
			agentTypes: ["explore", "plan", "code"],
		});
		expect(resolve(["Agent(explore)", "Task"])).toEqual({ ...nothing, names: ["task"] });
	});

	it("finds the tools of MCP servers by server and by pattern", () => {
		expect(resolve(["mcp__git"])).toMatchObject({ names: ["mcp__git__log", "mcp__git__push"] });
		expect(resolve(["mcp__git__*"])).toMatchObject({ names: ["mcp__git__log", "mcp__git__push"] });
		expect(resolve(["mcp__git__log"])).toMatchObject({ names: ["mcp__git__log"] });
		expect(resolve(["mcp__*"])).toMatchObject({ names: ["mcp__git__log", "mcp__git__push", "mcp__web__get"] });
		expect(resolve(["mcp__gi", "Read"])).toMatchObject({ names: ["read_file"], unknown: ["mcp__gi"] });
	});

	it("takes disallowed tools away and keeps disallowed calls as deny rules", () => {
		expect(resolve(undefined, ["Write", "Edit", "mcp__git", "Bash(rm *)"])).toEqual({
			...nothing,
			names: ["read_file", "bash", "grep", "task", "send_message", "mcp__web__get"],
			deny: ["Bash(rm *)"],
		});
	});

	it("adds the tools an agent always has, even against its own list", () => {
		expect(resolve(["Read"], ["SendMessage"], ["send_message"])).toMatchObject({
			names: ["read_file", "send_message"],
		});
	});

	it("goes on without unknown names and tells them", () => {
		expect(resolve(["Read", "WebSearch", "constructor"])).toEqual({
			...nothing,
			names: ["read_file"],
			unknown: ["WebSearch", "constructor"],
		});
	});

	it("refuses when nothing that was asked for exists, and lists the bad names", () => {
		expect(resolve(["WebSearch", "Bash(git"], undefined, ["send_message"])).toEqual({
			kind: "refused",
			unknown: ["WebSearch", "Bash(git"],
			message: `Agent 'a' cannot start: none of its tools exists ('WebSearch', 'Bash(git'). Known tools: ${AVAILABLE.join(", ")}`,
		});
	});

	it("is quick with hostile patterns", () => {
		const hostile = `mcp__${"*a".repeat(2_000)}`;
		expect(resolve([hostile, "Read"])).toMatchObject({ names: ["read_file"], unknown: [hostile] });
	});
});

describe("what comes along with bash", () => {
	const available = ["bash", "grep", "job_output", "job_stop"];
	const names = (tools: string[], disallowedTools: string[] = []) => {
		const resolved = resolveTools({ name: "a", tools, disallowedTools }, available);
		return resolved.kind === "resolved" ? resolved.names : [];
	};

	it("is the means to look at background jobs and to end them", () => {
		expect(names(["Bash"])).toEqual(["bash", "job_output", "job_stop"]);
		expect(names(["Bash(git *)"])).toEqual(["bash", "job_output", "job_stop"]);
		expect(names(["Grep"])).toEqual(["grep"]);
		expect(names(["Bash"], ["KillShell"])).toEqual(["bash", "job_output"]);
	});
});
