import { describe, expect, it } from "vitest";
import { toClaudeInput, toOwnInput } from "../../src/hooks/claude-inputs.ts";

describe("tool inputs for user hooks", () => {
	it.each([
		["read_file", { path: "/p/a", offset: 2 }, { file_path: "/p/a", offset: 2 }],
		["write_file", { path: "/p/a", content: "x" }, { file_path: "/p/a", content: "x" }],
		[
			"edit_file",
			{ path: "/p/a", old_text: "x", new_text: "y", replace_all: true },
			{ file_path: "/p/a", old_string: "x", new_string: "y", replace_all: true },
		],
		["bash", { command: "ls", timeout_ms: 5 }, { command: "ls", timeout: 5 }],
		[
			"grep",
			{ pattern: "x", path: "src", context: 2, ignore_case: true },
			{ pattern: "x", path: "src", "-C": 2, "-i": true },
		],
		["task", { prompt: "p", agent_type: "plan" }, { prompt: "p", subagent_type: "plan" }],
		["todo_write", { todos: [] }, { todos: [] }],
		[
			"ask_user",
			{ question: "q", options: ["a", "b"] },
			{ questions: [{ question: "q", options: [{ label: "a" }, { label: "b" }] }] },
		],
		["mcp__x__y", { path: "a", old_text: "b" }, { path: "a", old_text: "b" }],
	])("translates the input of %s both ways", (tool, own, claude) => {
		expect(toClaudeInput(tool, own, "/w")).toEqual(claude);
		expect(toOwnInput(tool, claude)).toEqual(own);
	});

	it("makes file paths absolute, so that a guard sees where they lead", () => {
		expect(toClaudeInput("read_file", { path: "a/../../etc/passwd" }, "/w/src")).toEqual({
			file_path: "/w/etc/passwd",
		});
		expect(toClaudeInput("read_file", { path: "/etc/../etc/passwd" }, "/w")).toEqual({ file_path: "/etc/passwd" });
	});

	it("keeps fields that a hook already wrote in our names, theirs before ours", () => {
		expect(toOwnInput("read_file", { path: "a" })).toEqual({ path: "a" });
		expect(toOwnInput("read_file", { file_path: "b", path: "a" })).toEqual({ path: "b" });
	});

	it("passes on what is no object", () => {
		expect(toClaudeInput("bash", "ls", "/w")).toBe("ls");
		expect(toClaudeInput("constructor", { path: "a" }, "/w")).toEqual({ path: "a" });
		expect(toOwnInput("ask_user", { questions: "q" })).toEqual({});
	});
});
