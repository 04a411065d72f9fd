import { describe, expect, it } from "vitest";
import { createGrants } from "../../src/runtime/permissions/grants.ts";
import type { LiveRun } from "../../src/supervision/live-run.ts";

const run = {} as LiveRun;
const terms = {
	toolNames: ["bash", "task", "query_task", "ask_user", "create_task", "job_stop", "deploy"],
	freeTools: () => ["create_task"],
};
const setUp = (hostTool = "deploy") =>
	createGrants({
		isHostTool: (name) => name === hostTool,
		isRoomTool: (name) => name === "create_task" || name === "job_stop",
	});
const spawn = { description: "d", prompt: "p", background: true, toolUseId: "t1" };
const task = { description: "d", prompt: "p", run_in_background: true };
const room = (name: string, input: unknown) => ({ room: "any", name, input, toolUseId: "t1" });
const allowed = { decision: "allow" } as const;
const call = (toolName: string, input: unknown) => ({ toolUseId: "t1", toolName, input });

describe("What an agent's thread asks for", () => {
	it("is refused for a tool that the agent was not given", () => {
		const { settle } = setUp();
		const asked = { question: "?", toolUseId: "t1" };
		const narrow = { ...terms, toolNames: ["create_task"] };
		expect(() => settle(run, narrow, "ask-user", asked)).toThrow("not given the tool 'ask_user'");
		expect(() => settle(run, narrow, "spawn-run", spawn)).toThrow("not given the tool 'task'");
	});

	it("is refused without a call that was allowed, and answered with one", () => {
		const { settle, note } = setUp();
		note(run, call("task", task), { decision: "deny", message: "no" });
		expect(() => settle(run, terms, "spawn-run", spawn)).toThrow("No call of 'task' was allowed");
		note(run, call("bash", { command: "ls", run_in_background: true }), allowed);
		expect(() => settle(run, terms, "spawn-run", spawn)).toThrow("No call of 'task' was allowed");
		note(run, call("task", task), allowed);
		expect(() => settle({} as LiveRun, terms, "spawn-run", spawn)).toThrow("No call of 'task' was allowed");
		expect(settle(run, terms, "spawn-run", spawn)).toEqual(spawn);
	});

	it("needs no call where the tool is free, or the question belongs to no tool", () => {
		const { settle } = setUp();
		const create = room("create_task", { title: "x" });
		expect(settle(run, terms, "room-call", create)).toBe(create);
		expect(settle(run, terms, "hidden-paths", { folder: "/" })).toEqual({ folder: "/" });
	});

	it.each([
		["task", task, "spawn-run", { ...spawn, agentType: "code", prompt: "other" }, spawn],
		[
			"task",
			{ description: "d", prompt: "p", agent_type: "explore", run_in_background: false, isolation: "worktree" },
			"spawn-run",
			spawn,
			{ ...spawn, background: false, agentType: "explore", isolation: "worktree" },
		],
		[
			"query_task",
			{ task_id: "task_1", wait_seconds: 2 },
			"query-run",
			{ runId: "task_2", waitMs: 9, toolUseId: "t1" },
			{ runId: "task_1", waitMs: 2_000, toolUseId: "t1" },
		],
		[
			"ask_user",
			{ question: "Why?", options: [] },
			"ask-user",
			{ question: "Password?", toolUseId: "t1" },
			{ question: "Why?", toolUseId: "t1" },
		],
		[
			"deploy",
			{ env: "staging" },
			"call-host-tool",
			{ toolName: "deploy", toolUseId: "t1", input: { env: "PRODUCTION" } },
			{ toolName: "deploy", toolUseId: "t1", input: { env: "staging" } },
		],
		["job_stop", { job_id: "a" }, "room-call", room("job_stop", { job_id: "b" }), room("job_stop", { job_id: "a" })],
		[
			"create_task",
			{ title: "a" },
			"room-call",
			room("create_task", { title: "b" }),
			room("create_task", { title: "a" }),
		],
		[
			"bash",
			{ command: "ls", run_in_background: "true", timeout_ms: "5" },
			"room-call",
			room("start_job", { command: "rm -rf x", cwd: "/", timeout_ms: 9 }),
			{ ...room("start_job", { command: "ls", timeout_ms: 5 }), room: "background" },
		],
	] as const)("becomes what was allowed, whatever the thread says, and is used up: %s", (...row) => {
		const [tool, input, method, asked, settled] = row;
		const { settle, note } = setUp();
		note(run, call(tool, input), allowed);
		expect(settle(run, terms, method, asked)).toEqual(settled);
		const strict = { ...terms, freeTools: () => [] };
		expect(() => settle(run, strict, method, asked)).toThrow(`No call of '${tool}' was allowed`);
	});

	it("is what the answer made of the call", () => {
		const { settle, note } = setUp();
		const updatedInput = { env: "test" };
		note(run, call("deploy", { env: "staging" }), { ...allowed, updatedInput });
		const asked = { toolName: "deploy", toolUseId: "t1", input: { env: "staging" } };
		expect(settle(run, terms, "call-host-tool", asked)).toEqual({ ...asked, input: updatedInput });
	});

	it("starts nothing in the background for a command that was allowed to run in the thread", () => {
		const { settle, note } = setUp();
		note(run, call("bash", { command: "ls" }), allowed);
		const asked = room("start_job", { command: "ls" });
		expect(() => settle(run, terms, "room-call", asked)).toThrow("No call of 'bash' was allowed");
	});

	it("stands behind no request when the tool works in the thread", () => {
		const { settle, note } = setUp();
		const own = { ...terms, toolNames: ["my_tool"] };
		note(run, call("my_tool", { rows: "many" }), allowed);
		expect(() => settle(run, own, "room-call", room("my_tool", {}))).toThrow("No call of 'my_tool' was allowed");
	});

	it("takes the program's own tool for no other of the same name", () => {
		const { settle, note } = setUp("bash");
		note(run, call("bash", { command: "ls", run_in_background: true }), allowed);
		const asked = room("start_job", { command: "ls" });
		expect(() => settle(run, terms, "room-call", asked)).toThrow("not given the tool 'bash'");
		const host = { toolName: "bash", toolUseId: "t1", input: {} };
		expect(settle(run, terms, "call-host-tool", host)).toEqual({
			...host,
			input: { command: "ls", run_in_background: true },
		});
	});
});
