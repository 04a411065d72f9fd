import { describe, expect, it } from "vitest";
import type { PermissionCall } from "../../src/permissions/call.ts";
import { modeFor, PERMISSION_MODES } from "../../src/permissions/modes.ts";
import { buildEngine, callOf, EXPLORER } from "./harness.ts";

const WRITES: readonly (readonly [string, unknown, PermissionCall["toolReadOnly"]])[] = [
	["write_file", { path: "a.txt", content: "x" }, false],
	["Write", { file_path: "a.txt", content: "x" }, false],
	["edit_file", { path: "a.txt", old_text: "a", new_text: "b" }, false],
	["MultiEdit", { path: "a.txt" }, false],
	["NotebookEdit", { path: "a.ipynb" }, false],
	["web_fetch", { url: "https://example.com/?delete=1" }, false],
	["schedule_cron", { cron: "* * * * *", prompt: "rm" }, false],
	["mcp__disk__format", {}, false],
	["host_tool", {}, false],
	["module_tool", {}, "unknown"],
	// A module may give its tools any name that the agent has no tool of.
	["read_file", { path: "a.txt" }, "unknown"],
	["todo_write", { todos: [] }, "unknown"],
	["Task", { prompt: "write" }, "unknown"],
	["bash", { command: "echo x > a.txt" }, false],
	["bash", { command: "touch a.txt" }, false],
	["bash", { command: "sed -i s/a/b/ a.txt" }, false],
	["bash", { command: "find . -delete" }, false],
	["bash", { command: "git commit -am x" }, false],
	["bash", { command: "ls; rm a.txt" }, false],
	["bash", { command: "cat a.txt | tee b.txt" }, false],
	["bash", { command: "sh -c 'rm a.txt'" }, false],
	["bash", { command: "$(echo rm) a.txt" }, false],
	["bash", { command: 'python3 -c \'open("a","w")\'' }, false],
	["bash", { command: "sleep 1; rm a.txt", run_in_background: true }, false],
	["Bash", { command: "rm a.txt" }, "unknown"],
];

const EVERYTHING = ["Bash", "Edit", "Write", "WebFetch", "mcp__disk", "host_tool", "module_tool", "Read", "TodoWrite"];

describe.each(PERMISSION_MODES)("A read-only agent in the mode %s", (mode) => {
	it.each(WRITES)("is refused %s %j, whatever rules and hooks allow", (toolName, input, toolReadOnly) => {
		for (const hookDecision of [undefined, "allow"] as const) {
			const { engine } = buildEngine({ mode, allow: EVERYTHING });
			const call = callOf(toolName, input, { agent: EXPLORER, toolReadOnly, hookDecision });
			expect(engine.decide(call).decision).toBe("deny");
		}
	});

	it.each([
		["read_file", { path: "a.txt" }, true],
		["grep", { pattern: "x" }, true],
		["bash", { command: "git log -3 | head" }, false],
	] as const)("may still look: %s %j", (toolName, input, toolReadOnly) => {
		const { engine } = buildEngine({ mode });
		expect(engine.decide(callOf(toolName, input, { agent: EXPLORER, toolReadOnly })).decision).toBe("allow");
	});
});

describe("The mode of an agent whose type names one", () => {
	it.each([
		["default", "acceptEdits", "acceptEdits"],
		["default", "bypassPermissions", "bypassPermissions"],
		["default", undefined, "default"],
		["plan", "acceptEdits", "plan"],
		["plan", "bypassPermissions", "plan"],
		["dontAsk", "default", "dontAsk"],
		["dontAsk", "plan", "plan"],
		["acceptEdits", "default", "acceptEdits"],
		["bypassPermissions", "default", "bypassPermissions"],
		["bypassPermissions", "plan", "plan"],
	] as const)("is, in a session of %s, for %s: %s", (session, own, mode) => {
		expect(modeFor(session, own)).toBe(mode);
	});
});
