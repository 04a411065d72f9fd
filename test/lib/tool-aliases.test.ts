import { describe, expect, it } from "vitest";
import { namesOfTool, toClaudeToolName, toOwnToolName, toRuleToolName } from "../../src/lib/tool-aliases.ts";

describe("tool names", () => {
	it.each([
		["Read", "read_file"],
		["Write", "write_file"],
		["Edit", "edit_file"],
		["MultiEdit", "edit_file"],
		["Bash", "bash"],
		["Grep", "grep"],
		["Glob", "glob"],
		["Task", "task"],
		["Agent", "task"],
		["TodoWrite", "todo_write"],
		["WebFetch", "web_fetch"],
		["AskUserQuestion", "ask_user"],
		["SendMessage", "send_message"],
		["TaskCreate", "create_task"],
		["TaskList", "list_tasks"],
		["TaskGet", "get_task"],
		["TaskUpdate", "update_task"],
		["TaskOutput", "query_task"],
		["BashOutput", "job_output"],
		["KillBash", "job_stop"],
		["LS", "glob"],
		["ExitPlanMode", "submit_plan"],
		["CronCreate", "schedule_cron"],
	])("reads %s as %s", (theirs, ours) => expect(toOwnToolName(theirs)).toBe(ours));

	it("shows ours under Claude Code's name, the usual one where there are two", () => {
		expect(toClaudeToolName("read_file")).toBe("Read");
		expect(toClaudeToolName("edit_file")).toBe("Edit");
		expect(toClaudeToolName("task")).toBe("Task");
		expect(toRuleToolName("task")).toBe("Agent");
		expect(toRuleToolName("glob")).toBe("Glob");
	});

	it("leaves every other name as it is", () => {
		expect(toOwnToolName("read_file")).toBe("read_file");
		expect(toOwnToolName("mcp__server__tool")).toBe("mcp__server__tool");
		expect(toOwnToolName("constructor")).toBe("constructor");
		expect(toClaudeToolName("claim_task")).toBe("claim_task");
	});

	it("gives all names of one tool", () => {
		expect(namesOfTool("edit_file")).toEqual(["edit_file", "Edit", "MultiEdit", "NotebookEdit"]);
		expect(namesOfTool("claim_task")).toEqual(["claim_task"]);
	});
});
