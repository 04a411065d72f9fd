import { describe, expect, it } from "vitest";
import { createGrants } from "../../src/runtime/permissions/grants.ts";
import type { LiveRun } from "../../src/supervision/live-run.ts";

const run = {} as LiveRun;
const terms = { toolNames: ["bash", "task", "create_task"], freeTools: () => ["create_task"] };
const spawn = { description: "d", prompt: "p", background: true, toolUseId: "t1" };
const job = (command: string) => ({ room: "background", name: "start_job", input: { command }, toolUseId: "t1" });
const allowed = { decision: "allow" } as const;

describe("What an agent's thread asks for", () => {
	it("is refused for a tool that the agent was not given", () => {
		const { check } = createGrants();
		expect(() => check(run, terms, "ask-user", { question: "?" })).toThrow("not given the tool 'ask_user'");
		expect(() => check(run, { ...terms, toolNames: [] }, "spawn-run", spawn)).toThrow("not given the tool 'task'");
	});

	it("is refused without a call that was allowed, and answered with one", () => {
		const { check, note } = createGrants();
		note(run, { toolUseId: "t1", toolName: "task", input: {} }, { decision: "deny", message: "no" });
		expect(() => check(run, terms, "spawn-run", spawn)).toThrow("No call of 'task' was allowed");
		note(run, { toolUseId: "t1", toolName: "bash", input: {} }, allowed);
		expect(() => check(run, terms, "spawn-run", spawn)).toThrow("No call of 'task' was allowed");
		note(run, { toolUseId: "t1", toolName: "task", input: {} }, allowed);
		check(run, terms, "spawn-run", spawn);
		expect(() => check({} as LiveRun, terms, "spawn-run", spawn)).toThrow("No call of 'task' was allowed");
	});

	it("needs no call where the tool is free, or the question belongs to no tool", () => {
		const { check } = createGrants();
		check(run, terms, "room-call", { room: "tasks", name: "create_task", input: {}, toolUseId: "t9" });
		check(run, terms, "hidden-paths", { folder: "/" });
	});

	it("starts in the background only the command that was allowed, as a person may have changed it", () => {
		const { check, note } = createGrants();
		note(run, { toolUseId: "t1", toolName: "bash", input: { command: "ls" } }, allowed);
		check(run, terms, "room-call", job("ls"));
		expect(() => check(run, terms, "room-call", job("rm -rf x"))).toThrow("No call of 'bash' was allowed");
		const updatedInput = { command: "ls -l" };
		note(run, { toolUseId: "t1", toolName: "bash", input: { command: "ls" } }, { ...allowed, updatedInput });
		expect(() => check(run, terms, "room-call", job("ls"))).toThrow("No call of 'bash' was allowed");
		check(run, terms, "room-call", job("ls -l"));
	});
});
