// A small agent loop for the offline model, with the real tools on real folders.

import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { renderEnvelope } from "../../../src/agent/render-envelope.ts";
import { createOfflineProvider } from "../../../src/model/offline/offline-provider.ts";
import type { AttemptReply } from "../../../src/model/provider.ts";
import { createFakeClock } from "../../../src/testing/fake-clock.ts";
import { bashTool } from "../../../src/tools/builtin/bash.ts";
import { globTool } from "../../../src/tools/builtin/glob.ts";
import { grepTool } from "../../../src/tools/builtin/grep.ts";
import { readFileTool } from "../../../src/tools/builtin/read-file.ts";
import type { ToolContext } from "../../../src/tools/definition.ts";
import { createWorkspace } from "../../../src/tools/workspace.ts";
import type { Message, ToolResultBlock, ToolUseBlock, UserBlock } from "../../../src/wire/conversation.ts";
import type { ModelRequest } from "../../../src/wire/model-call.ts";
import { call, createTestContext, type Result, temporaryFolder } from "../../tools/support.ts";

export type RunTool = (name: string, input: Record<string, unknown>) => Result | Promise<Result>;

/** Files by path; a Buffer is written as it is. */
export async function makeTree(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
	const root = await realpath(await temporaryFolder());
	for (const [path, content] of Object.entries(files)) {
		await mkdir(dirname(join(root, path)), { recursive: true });
		await writeFile(join(root, path), content);
	}
	return root;
}

/** The built-in tools with `cwd` as working folder. */
export async function realTools(cwd: string, added: readonly string[] = []): Promise<RunTool> {
	const context: ToolContext = await createTestContext({
		cwd,
		workspace: await createWorkspace({ cwd, additionalDirectories: added }),
	});
	const tools = [globTool, grepTool, bashTool, readFileTool];
	return (name, input) => {
		const tool = tools.find((known) => known.name === name);
		if (!tool) return { content: `Error: unknown tool ${name}`, isError: true };
		// A signal of its own for every call, as in the loop.
		return call(tool as never, input, { ...context, signal: new AbortController().signal });
	};
}

export function userMessage(...content: readonly (string | UserBlock)[]): Message {
	return {
		role: "user",
		content: content.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)),
	};
}

export function requestOf(messages: readonly Message[], toolNames: readonly string[], turn = 1): ModelRequest {
	return {
		caller: { runId: "run_1", name: "lead", agentType: "general", turn, row: 0, epoch: 1 },
		model: "offline",
		system: "",
		toolsJson: JSON.stringify(toolNames.map((name) => ({ name, description: "", input_schema: {} }))),
		messagesJson: messages.map((message) => JSON.stringify(message)),
		maxTokens: 8_000,
	};
}

export function ask(request: ModelRequest): Promise<AttemptReply> {
	const hooks = { signal: new AbortController().signal, onText: () => {}, onActivity: () => {}, onUsage: () => {} };
	return createOfflineProvider({ provider: "offline" }, createFakeClock()).attempt(request, hooks);
}

export interface Agent {
	readonly messages: Message[];
	readonly toolNames: readonly string[];
	readonly runTool: RunTool;
	turn: number;
}

export function createAgent(toolNames: readonly string[], runTool: RunTool): Agent {
	return { messages: [], toolNames, runTool, turn: 0 };
}

/** Runs turns until the agent calls no tool; answers its last text. */
export async function prompt(agent: Agent, message: Message): Promise<string> {
	agent.messages.push(message);
	for (;;) {
		agent.turn += 1;
		const reply = await ask(requestOf(agent.messages, agent.toolNames, agent.turn));
		agent.messages.push({ role: "assistant", content: reply.content });
		const uses = reply.content.filter((block): block is ToolUseBlock => block.type === "tool_use");
		if (uses.length === 0) return reply.content.map((block) => (block.type === "text" ? block.text : "")).join("");
		agent.messages.push(userMessage(...(await runAll(uses, agent.runTool))));
	}
}

// All of one turn at once, as the loop does with tools that only read.
function runAll(uses: readonly ToolUseBlock[], runTool: RunTool): Promise<ToolResultBlock[]> {
	return Promise.all(
		uses.map(async (use) => {
			const { content, isError } = await runTool(use.name, use.input as Record<string, unknown>);
			return { type: "tool_result", tool_use_id: use.id, content, ...(isError ? { is_error: true } : {}) } as const;
		}),
	);
}

/** All tool calls an agent made, per turn. */
export function callsPerTurn(agent: Agent): { readonly name: string; readonly input: Record<string, unknown> }[][] {
	return agent.messages
		.filter((message) => message.role === "assistant")
		.map((message) =>
			message.content.flatMap((block) =>
				block.type === "tool_use" ? [{ name: block.name, input: block.input as Record<string, unknown> }] : [],
			),
		);
}

export function notification(taskId: string, status: "COMPLETED" | "FAILED", body: string, reason = "done"): string {
	return renderEnvelope({
		id: `end-of-${taskId}`,
		kind: "notification",
		from: "supervisor",
		to: "lead",
		body,
		summary: `survey ${status.toLowerCase()}`,
		data: { taskId, status, reason },
		sentAt: 0,
		seq: 1,
	});
}

export const EXPLORE_TOOLS = ["bash", "read_file", "glob", "grep"];
export const LEAD_TOOLS = [...EXPLORE_TOOLS, "task", "query_task"];

/** A lead whose subagents really run when the test wants it. */
export interface TestLead {
	readonly agent: Agent;
	/** Task ids in the order they were started. */
	readonly started: { readonly id: string; readonly prompt: string; readonly description: string }[];
	/** Runs all started subagents to their ends and tells the lead of each; answers its last text. */
	finish(): Promise<string>;
}

export function createLead(runTool: RunTool): TestLead {
	const started: { id: string; prompt: string; description: string }[] = [];
	const agent = createAgent(LEAD_TOOLS, (name, input) => {
		if (name !== "task") return runTool(name, input);
		const id = `task_${started.length + 1}`;
		started.push({ id, prompt: String(input.prompt), description: String(input.description) });
		return { content: `Task dispatched: ${id}\nUse query_task to check status.`, isError: false };
	});
	return {
		agent,
		started,
		async finish() {
			const run = (task: { prompt: string }) => prompt(createAgent(EXPLORE_TOOLS, runTool), userMessage(task.prompt));
			const texts = await Promise.all(started.map(run));
			let last = "";
			for (const [at, text] of texts.entries()) {
				last = await prompt(agent, userMessage(notification(`task_${at + 1}`, "COMPLETED", text)));
			}
			return last;
		},
	};
}
