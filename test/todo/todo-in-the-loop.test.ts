// The agent loop with the real todo_write: the list changes when the model says so, and only then.

import { describe, expect, it } from "vitest";
import { runPrompt } from "../../src/agent/run-prompt.ts";
import { TodoStore } from "../../src/todo/todo-store.ts";
import { createTodoWriteTool } from "../../src/todo/todo-write.ts";
import type { Tool } from "../../src/tools/definition.ts";
import { toolSpecOf } from "../../src/tools/tool-spec.ts";
import { calls, type FakeAgent, type FakeOptions, fakeAgent, NEVER_ABORTS, says } from "../agent/fake-deps.ts";

const PLAN = { todos: [{ content: "Read UserService.kt", status: "in_progress" }] };

function setUp(options: FakeOptions = {}): { store: TodoStore; agent: FakeAgent } {
	const store = new TodoStore();
	const tool = createTodoWriteTool(store);
	const plays = [calls(["toolu_1", "todo_write", PLAN]), says("Planned.")];
	return { store, agent: fakeAgent({ plays, tools: [tool as unknown as Tool<never>], ...options }) };
}

/** The content of the one tool result in the second request. */
const resultOf = (agent: FakeAgent) => JSON.stringify(agent.sent(1).at(-1)?.content);

describe("run", () => {
	it("run updates TodoStore when LLM calls todo_write", async () => {
		const { store, agent } = setUp();
		expect(await runPrompt(agent.deps, "Plan it", NEVER_ABORTS)).toMatchObject({
			reason: "done",
			finalText: "Planned.",
		});
		expect(store.getAll()).toEqual(PLAN.todos);
		expect(resultOf(agent)).toContain("Todo list updated (0/1 completed, 1 in progress, 0 pending):");
	});

	it("run passes todo_write tool definition to LLM", async () => {
		const toolsJson = JSON.stringify([await toolSpecOf(createTodoWriteTool(new TodoStore()))]);
		const { agent } = setUp({ toolsJson });
		await runPrompt(agent.deps, "Plan it", NEVER_ABORTS);
		const [definition] = JSON.parse(agent.requests[0]?.toolsJson ?? "[]");
		expect(definition).toMatchObject({ name: "todo_write", input_schema: { required: ["todos"] } });
	});

	it("run does not modify TodoStore when tool execution is blocked", async () => {
		const { store, agent } = setUp();
		agent.hooks.on("PreToolUse", () => ({ kind: "block", reason: "not now" }));
		await runPrompt(agent.deps, "Plan it", NEVER_ABORTS);
		expect(store.getAll()).toEqual([]);
		expect(resultOf(agent)).toContain("not now");
	});

	it("leaves the list alone when permission is denied", async () => {
		const { store, agent } = setUp({ authorize: async () => ({ decision: "deny", message: "Error: denied" }) });
		await runPrompt(agent.deps, "Plan it", NEVER_ABORTS);
		expect(store.getAll()).toEqual([]);
	});

	it("answers a list that is not valid with the exact text", async () => {
		const plays = [calls(["toolu_1", "todo_write", { todos: "all" }]), says("Sorry.")];
		const { store, agent } = setUp({ plays });
		await runPrompt(agent.deps, "Plan it", NEVER_ABORTS);
		expect(resultOf(agent)).toContain("Error: todos is required and must be an array");
		expect(store.size()).toBe(0);
	});
});
