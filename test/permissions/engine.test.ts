import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionCall } from "../../src/permissions/call.ts";
import { isPermissionMode, parsePermissionMode } from "../../src/permissions/modes.ts";
import { parseRule } from "../../src/permissions/rules/parse-rule.ts";
import { buildEngine, CWD, callOf, type Setup, SOURCE } from "./harness.ts";

function decide(setup: Setup, tool: string, input: unknown = {}, more: Partial<PermissionCall> = {}) {
	return buildEngine(setup).engine.decide(callOf(tool, input, { cwd: setup.cwd ?? CWD, ...more }));
}
const judge = (...args: Parameters<typeof decide>) => decide(...args).decision;

describe("category", () => {
	it("allows a read-only tool of the registry, asks about any other and about unknown ones", () => {
		expect(judge({}, "read_file", { path: "a" })).toBe("allow");
		expect(judge({}, "mcp__git__log", {}, { toolReadOnly: true })).toBe("allow");
		expect(judge({}, "write_file", { path: "a", content: "" })).toBe("ask");
		expect(judge({}, "web_fetch", { url: "https://example.com" })).toBe("ask");
		expect(judge({}, "bash", { command: "make" })).toBe("ask");
		expect(judge({}, "deploy", {})).toBe("ask");
		expect(decide({}, "nope", {}, { toolReadOnly: "unknown" })).toEqual({
			decision: "ask",
			message: "nope is a tool that nobody has registered",
			suggestions: ["nope"],
		});
	});

	it("does not ask about tools that only touch the program's own state", () => {
		for (const tool of ["todo_write", "task", "send_message", "create_task", "submit_plan"])
			expect(judge({}, tool)).toBe("allow");
		expect(judge({ deny: ["Task"] }, "task")).toBe("deny");
		expect(judge({ ask: ["TodoWrite"] }, "todo_write")).toBe("ask");
	});
});

describe("modes", () => {
	const edit = { path: "src/a.ts", old_text: "a", new_text: "b" };

	it.each([
		["default", "ask", "ask", "ask", "allow"],
		["acceptEdits", "allow", "ask", "ask", "allow"],
		["plan", "deny", "deny", "deny", "allow"],
		["dontAsk", "deny", "deny", "deny", "allow"],
		["bypassPermissions", "allow", "allow", "allow", "allow"],
	] as const)("%s: edits %s, commands %s, fetches %s, reads %s", (mode, edits, commands, fetches, reads) => {
		expect(judge({ mode }, "edit_file", edit)).toBe(edits);
		expect(judge({ mode }, "bash", { command: "make" })).toBe(commands);
		expect(judge({ mode }, "web_fetch", { url: "https://example.com" })).toBe(fetches);
		expect(judge({ mode }, "read_file", { path: "a" })).toBe(reads);
	});

	it.each(["default", "acceptEdits", "dontAsk", "bypassPermissions"] as const)(
		"let an allow rule and a deny rule decide in %s",
		(mode) => {
			expect(judge({ mode, allow: ["Edit(src/**)"] }, "edit_file", edit)).toBe("allow");
			expect(judge({ mode, deny: ["Edit(src/**)"] }, "edit_file", edit)).toBe("deny");
		},
	);

	it("plan lets nothing that writes through, whatever the rules say", () => {
		expect(decide({ mode: "plan", allow: ["Edit"] }, "edit_file", edit)).toEqual({
			decision: "deny",
			message: "Permission denied: in plan mode nothing may be changed, and edit_file may; finish the plan first",
		});
	});

	it("dontAsk says why it denies", () => {
		expect(decide({ mode: "dontAsk" }, "bash", { command: "make" })).toEqual({
			decision: "deny",
			message: "Permission denied: no rule allows 'make', and this session never asks (dontAsk)",
		});
		expect(judge({ mode: "dontAsk", ask: ["WebFetch"] }, "web_fetch", { url: "https://example.com" })).toBe("deny");
	});

	it("acceptEdits stops at the edge of the workspace and at files that decide what may run", () => {
		const setup: Setup = { mode: "acceptEdits", additionalDirectories: ["/work/added"] };
		expect(judge(setup, "write_file", { path: "/work/added/a", content: "" })).toBe("allow");
		for (const path of [
			"../a",
			"/etc/hosts",
			".git/hooks/pre-commit",
			".clowder/settings.local.json",
			".claude/settings.json",
			"sub/.mcp.json",
			".envrc",
		]) {
			expect([path, judge(setup, "write_file", { path, content: "" })]).toEqual([path, "ask"]);
		}
	});

	it("can be the agent's own, and can change", () => {
		expect(judge({}, "edit_file", edit, { mode: "acceptEdits" })).toBe("allow");
		const { engine } = buildEngine({});
		engine.setMode("bypassPermissions");
		expect(engine.mode).toBe("bypassPermissions");
		expect(engine.decide(callOf("edit_file", edit)).decision).toBe("allow");
	});

	it("are read from a flag", () => {
		expect(parsePermissionMode("acceptEdits")).toBe("acceptEdits");
		expect(isPermissionMode("yolo")).toBe(false);
		expect(() => parsePermissionMode("yolo")).toThrowError(
			"Permission mode 'yolo' is not known. Use one of: default, acceptEdits, plan, dontAsk, bypassPermissions",
		);
	});
});

describe("hooks", () => {
	const fetch = { url: "https://example.com" };

	it("may allow and may ask, but beat no deny rule, no ask rule and no plan", () => {
		expect(judge({}, "web_fetch", fetch, { hookDecision: "allow" })).toBe("allow");
		expect(judge({ allow: ["WebFetch"] }, "web_fetch", fetch, { hookDecision: "ask" })).toBe("ask");
		expect(judge({ deny: ["WebFetch"] }, "web_fetch", fetch, { hookDecision: "allow" })).toBe("deny");
		expect(judge({ ask: ["WebFetch"] }, "web_fetch", fetch, { hookDecision: "allow" })).toBe("ask");
		expect(judge({ mode: "plan" }, "web_fetch", fetch, { hookDecision: "allow" })).toBe("deny");
	});

	it("may do the same for bash, and cannot allow what is always refused", () => {
		expect(judge({}, "bash", { command: "make" }, { hookDecision: "allow" })).toBe("allow");
		expect(judge({ allow: ["Bash"] }, "bash", { command: "make" }, { hookDecision: "ask" })).toBe("ask");
		expect(judge({}, "bash", { command: "sudo ls" }, { hookDecision: "allow" })).toBe("deny");
		expect(judge({ deny: ["Bash(make)"] }, "bash", { command: "make" }, { hookDecision: "allow" })).toBe("deny");
	});
});

describe("rules about files", () => {
	const read = (rule: string, path: string, more: Setup = {}) =>
		judge({ ...more, deny: [rule] }, "read_file", { path });
	const write = (rule: string, path: string, more: Setup = {}) =>
		judge({ ...more, allow: [rule] }, "edit_file", { path });

	it.each([
		["Read(.env)", "sub/.env", "deny"],
		["Read(./.env)", "sub/.env", "allow"],
		["Read(/.env)", ".env", "deny"],
		["Read(//work/project/.env)", ".env", "deny"],
		["Read(//etc/**)", "/etc/passwd", "deny"],
		["Read(~/.ssh/**)", "/home/ada/.ssh/id", "deny"],
		["Read(~/.ssh/**)", "~/.ssh/id", "allow"],
		["Read(../other/**)", "../other/a", "deny"],
		["Read(secrets/)", "secrets/deep/a", "deny"],
		["Read(**/*.pem)", "a/b/c.pem", "deny"],
		["Read(*.pem)", "a/b/c.pem", "deny"],
		["Read(src/*.ts)", "src/sub/a.ts", "allow"],
		["Edit(.env)", ".env", "allow"],
	])("%s and reading %s: %s", (rule, path, decision) => {
		expect(read(rule, path)).toBe(decision);
	});

	it.each([
		["Edit(src/**)", "src/a/b.ts", "allow"],
		["Edit(src/**)", "src/../package.json", "ask"],
		["Edit(src/**)", "../project/src/a.ts", "allow"],
		["Edit(/src/**)", "src/a.ts", "allow"],
		["Edit(src/)", "src", "ask"],
		["Edit(*.md)", "docs/deep/a.md", "allow"],
		["Edit", "/anywhere", "allow"],
		["Write(src/**)", "src/a.ts", "allow"],
		["MultiEdit(src/**)", "src/a.ts", "allow"],
		["Read(src/**)", "src/a.ts", "ask"],
		["Edit(~/notes/**)", "/home/ada/notes/a", "allow"],
	])("%s and editing %s: %s", (rule, path, decision) => {
		expect(write(rule, path)).toBe(decision);
	});

	it("let a Read rule cover grep and glob, and a Read deny stop edits", () => {
		const setup: Setup = { deny: ["Read(secrets/**)"], allow: ["Edit"] };
		expect(judge(setup, "grep", { pattern: "x", path: "secrets/a" })).toBe("deny");
		expect(judge(setup, "glob", { pattern: "*", path: "secrets/a" })).toBe("deny");
		expect(judge(setup, "write_file", { path: "secrets/a", content: "" })).toBe("deny");
		expect(judge(setup, "edit_file", { path: "secrets/a" })).toBe("deny");
		expect(judge({ ask: ["Read(secrets/**)"], allow: ["Edit"] }, "edit_file", { path: "secrets/a" })).toBe("allow");
	});

	it("let a bare Write be about write_file alone", () => {
		expect(judge({ allow: ["Write"] }, "write_file", { path: "a", content: "" })).toBe("allow");
		expect(judge({ allow: ["Write"] }, "edit_file", { path: "a" })).toBe("ask");
	});

	it("do not follow a link out of what they allow", () => {
		const base = realpathSync(mkdtempSync(join(tmpdir(), "clowder-allow-")));
		const cwd = join(base, "project");
		mkdirSync(join(cwd, "src"), { recursive: true });
		mkdirSync(join(base, "outside"));
		writeFileSync(join(base, "outside", "a"), "");
		symlinkSync(join(base, "outside"), join(cwd, "src", "out"));
		symlinkSync(join(base, "outside"), join(cwd, "trap"));
		symlinkSync(cwd, join(base, "alias"));
		const edit = (setup: Setup, path: string, from = cwd) => judge({ ...setup, cwd: from }, "edit_file", { path });
		expect(edit({ allow: ["Edit(src/**)"] }, "src/a")).toBe("allow");
		expect(edit({ allow: ["Edit(src/**)"] }, "src/out/a")).toBe("ask");
		expect(edit({ allow: ["Edit(src/**)"] }, "src/out/../../project/src/a")).toBe("ask");
		expect(edit({ allow: ["Edit(trap/**)"] }, "trap/a")).toBe("ask");
		expect(edit({ mode: "acceptEdits" }, "src/out/a")).toBe("ask");
		expect(edit({ mode: "acceptEdits" }, "src/a")).toBe("allow");
		// A project that is itself reached through a link is still the project.
		expect(edit({ allow: ["Edit(src/**)"] }, "src/a", join(base, "alias"))).toBe("allow");
		expect(edit({ mode: "acceptEdits" }, "src/a", join(base, "alias"))).toBe("allow");
		expect(
			judge({ cwd: join(base, "alias"), deny: ["Read(src/a)"] }, "read_file", { path: join(cwd, "src", "a") }),
		).toBe("deny");
	});

	it("survive links that run in a circle", () => {
		const cwd = realpathSync(mkdtempSync(join(tmpdir(), "clowder-circle-")));
		symlinkSync("b", join(cwd, "a"));
		symlinkSync("a", join(cwd, "b"));
		expect(judge({ cwd, deny: ["Read(x)"] }, "read_file", { path: "a" })).toBe("allow");
		expect(judge({ cwd, deny: ["Read(a)"] }, "read_file", { path: "a" })).toBe("deny");
	});
});

describe("rules about hosts, agents, skills and servers", () => {
	it.each([
		["WebFetch(domain:example.com)", "https://example.com/a?b", "allow"],
		["WebFetch(domain:example.com)", "http://EXAMPLE.com.:8080/", "allow"],
		["WebFetch(domain:example.com)", "https://user@example.com/", "allow"],
		["WebFetch(domain:example.com)", "https://example.com@evil.org/", "ask"],
		["WebFetch(domain:example.com)", "https://example.com.evil.org/", "ask"],
		["WebFetch(domain:example.com)", "https://evil.org/?example.com", "ask"],
		["WebFetch(domain:example.com)", "https://www.example.com/", "ask"],
		["WebFetch(domain:*.example.com)", "https://www.example.com/", "allow"],
		["WebFetch(domain:*.example.com)", "https://evilexample.com/", "ask"],
		["WebFetch(domain:example.com)", "not a url", "ask"],
		["WebFetch", "https://anything.org/", "allow"],
	])("%s and %s: %s", (rule, url, decision) => {
		expect(judge({ allow: [rule] }, "web_fetch", { url })).toBe(decision);
	});

	it("know an agent type by any case, and the default one", () => {
		expect(judge({ deny: ["Agent(Explore)"] }, "task", { agent_type: "explore" })).toBe("deny");
		expect(judge({ deny: ["Task(explore)"] }, "spawn_teammate", { agent_type: "explore" })).toBe("deny");
		expect(judge({ deny: ["Agent(Explore)"] }, "task", { agent_type: "code" })).toBe("allow");
		expect(judge({ deny: ["Agent(general)"] }, "task", {})).toBe("deny");
		expect(judge({ ask: ["Agent(code*)"] }, "task", { agent_type: "code-reviewer" })).toBe("ask");
	});

	it("know skills, MCP servers and Claude Code's names in calls", () => {
		expect(judge({ deny: ["Skill(deploy)"] }, "skill", { name: "deploy" })).toBe("deny");
		expect(judge({ deny: ["Skill(deploy)"] }, "skill", { name: "review" })).toBe("allow");
		expect(judge({ allow: ["mcp__git"] }, "mcp__git__push")).toBe("allow");
		expect(judge({ allow: ["mcp__git"] }, "mcp__gitlab__push")).toBe("ask");
		expect(judge({ deny: ["mcp__git__push"], allow: ["mcp__git__*"] }, "mcp__git__push")).toBe("deny");
		expect(judge({ deny: ["Edit(a)"] }, "Write", { file_path: "a" })).toBe("deny");
		expect(judge({ deny: ["Bash(rm *)"] }, "Bash", { command: "rm a" })).toBe("deny");
	});
});

describe("suggestions", () => {
	it.each([
		["edit_file", { path: "src/a b.ts" }, ["Edit(/src/a b.ts)"]],
		["write_file", { path: "/tmp/[x].ts" }, ["Edit(//tmp/\\[x\\].ts)"]],
		["web_fetch", { url: "https://Example.com/x" }, ["WebFetch(domain:example.com)"]],
		["deploy", {}, ["deploy"]],
		["mcp__git__push", {}, ["mcp__git__push"]],
	])("for %s %j are %j, and cover the call", (tool, input, suggestions) => {
		expect(decide({}, tool, input)).toMatchObject({ decision: "ask", suggestions });
		expect(judge({ allow: suggestions }, tool, input)).toBe("allow");
	});
});

describe("engine", () => {
	it("takes other rules at any time", () => {
		const { engine } = buildEngine({ allow: ["WebFetch"] });
		const call = callOf("web_fetch", { url: "https://example.com" });
		expect(engine.decide(call)).toEqual({ decision: "allow", rule: "WebFetch in .claude/settings.json" });
		engine.setRules([parseRule("WebFetch", "deny", SOURCE)]);
		expect(engine.decide(call).decision).toBe("deny");
		expect(engine.rules().map((rule) => rule.kind)).toEqual(["deny"]);
	});

	it("knows which tools no call of can be denied or asked about", () => {
		const { engine } = buildEngine({ allow: ["Bash"], ask: ["Skill(deploy)"], deny: ["Read(.env)", "Agent(Explore)"] });
		expect(engine.allowsAlways("todo_write", false)).toBe(true);
		expect(engine.allowsAlways("query_task", true)).toBe(true);
		expect(engine.allowsAlways("grep", true)).toBe(false);
		expect(engine.allowsAlways("task", false)).toBe(false);
		expect(engine.allowsAlways("skill", false)).toBe(false);
		expect(engine.allowsAlways("bash", false)).toBe(false);
	});
});
