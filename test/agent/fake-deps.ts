// Everything runPrompt needs, without threads: a scripted model, tools made on the spot, and records of what happened.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAgentState } from "../../src/agent/agent-state.ts";
import { type Conversation, createConversation } from "../../src/agent/conversation.ts";
import { findHistoryFaults } from "../../src/agent/history-invariants.ts";
import type { AgentDeps } from "../../src/agent/types.ts";
import { HookManager } from "../../src/hooks/hook-manager.ts";
import { createFakeClock, type FakeClock } from "../../src/testing/fake-clock.ts";
import type { Tool, ToolContext } from "../../src/tools/definition.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import type { AgentEvent } from "../../src/wire/control.ts";
import type { AssistantBlock, Message } from "../../src/wire/conversation.ts";
import type { Envelope } from "../../src/wire/envelope.ts";
import type { ModelReply, ModelRequest } from "../../src/wire/model-call.ts";

export interface Commit {
	readonly messages: readonly Message[];
	readonly acknowledged: readonly string[];
	readonly replaces: boolean;
}

/** One reply, an error to reject with, or a function of the request. */
export type Play =
	| Partial<ModelReply>
	| Error
	| ((request: ModelRequest, signal: AbortSignal) => Partial<ModelReply> | Promise<Partial<ModelReply>>);

export interface FakeAgent {
	readonly deps: AgentDeps;
	readonly clock: FakeClock;
	readonly hooks: HookManager;
	readonly conversation: Conversation;
	readonly requests: ModelRequest[];
	readonly commits: Commit[];
	readonly events: AgentEvent[];
	readonly inbox: Envelope[];
	readonly meter: string[];
	/** Messages of the nth request (from 0), or of the last. */
	sent(index?: number): Message[];
	/** The text blocks of the last message of the nth request, or of the last request. */
	lastTexts(index?: number): string[];
}

export interface FakeOptions extends Partial<Omit<AgentDeps, "tools" | "identity">> {
	readonly plays?: readonly Play[];
	/** Played when `plays` has run out. */
	readonly afterwards?: Play;
	readonly tools?: readonly Tool<never>[];
	readonly kind?: AgentDeps["identity"]["kind"];
	readonly history?: readonly string[];
}

export function fakeAgent({
	plays = [],
	afterwards,
	tools = [],
	kind = "lead",
	history = [],
	...overrides
}: FakeOptions) {
	const clock = createFakeClock();
	const requests: ModelRequest[] = [];
	const commits: Commit[] = [];
	const events: AgentEvent[] = [];
	const inbox: Envelope[] = [];
	const meter: string[] = [];
	// The same text is in many requests; it is read once.
	const read = new Map<string, Message>();
	const parse = (json: string): Message => {
		const message = read.get(json) ?? (JSON.parse(json) as Message);
		read.set(json, message);
		return message;
	};
	const conversation = createConversation({
		history,
		onCommit: (json, acknowledged, replaces) => {
			commits.push({ messages: json.map(parse), acknowledged, replaces });
		},
	});
	const registry = new ToolRegistry();
	for (const tool of tools) registry.register(tool as unknown as Tool);
	const hooks = new HookManager((thrown) => {
		throw thrown;
	});
	const deps: AgentDeps = {
		identity: { runId: "run_1", kind, name: "main", agentType: "general", row: 0, epoch: 1 },
		clock,
		conversation,
		state: createAgentState(0),
		tools: registry,
		hooks,
		callModel: async (request, { signal }) => {
			requests.push(request);
			const play = plays[requests.length - 1] ?? afterwards;
			if (!play) throw new Error(`No reply is scripted for call ${requests.length}`);
			if (play instanceof Error) throw play;
			return reply(typeof play === "function" ? await play(request, signal) : play);
		},
		authorize: async () => ({ decision: "allow" }),
		toolContext: (toolUseId, signal) => ({ toolUseId, signal, clock }) as unknown as ToolContext,
		inbox: { take: () => inbox.splice(0) },
		meter: {
			phase: (phase) => void meter.push(phase),
			touch: () => {},
			turn: () => void meter.push("turn"),
			toolCall: () => void meter.push("tool-call"),
			reply: ({ usage }) => void meter.push(`reply ${usage.inputTokens}/${usage.outputTokens}`),
		},
		emit: (event) => void events.push(event),
		reminders: () => [],
		system: "You are a test.",
		toolsJson: "[]",
		model: "test-model",
		maxTokens: 1_000,
		contextWindow: 200_000,
		limits: {},
		deltas: false,
		outputDir: mkdtempSync(path.join(tmpdir(), "clowder-agent-")),
		...overrides,
	};
	const sent = (index = requests.length - 1) => (requests[index]?.messagesJson ?? []).map(parse);
	const lastTexts = (index?: number) =>
		(sent(index).at(-1)?.content ?? []).flatMap((block) => (block.type === "text" ? [block.text] : []));
	return { deps, clock, hooks, conversation, requests, commits, events, inbox, meter, sent, lastTexts } as FakeAgent;
}

export function reply(play: Partial<ModelReply>): ModelReply {
	const content = play.content ?? [];
	return {
		content,
		stopReason: content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn",
		usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
		model: "test-model",
		costUsd: 0,
		durationMs: 1,
		...play,
	};
}

/** A reply that says something. */
export function says(text: string, more: Partial<ModelReply> = {}): Partial<ModelReply> {
	return { content: [{ type: "text", text }], ...more };
}

/** A reply that calls tools: `calls(["a", "read", { path }], …)`. */
export function calls(...list: readonly (readonly [id: string, name: string, input?: unknown])[]): Partial<ModelReply> {
	return { content: list.map(([id, name, input = {}]): AssistantBlock => ({ type: "tool_use", id, name, input })) };
}

/** A tool whose schema takes any object. */
export function tool(name: string, execute: Tool["execute"], more: Partial<Tool> = {}): Tool<never> {
	return {
		name,
		description: name,
		inputSchema: { safeParse: (value: unknown) => ({ success: true, data: value }) },
		readOnly: false,
		execute,
		...more,
	} as unknown as Tool<never>;
}

export function envelope(more: Partial<Envelope> = {}): Envelope {
	return { id: "env_1", kind: "message", from: "scout", to: "main", body: "hello", sentAt: 0, seq: 1, ...more };
}

/** Rules broken by any request made so far; each request must also end with the user's turn. */
export function requestFaults(agent: FakeAgent): string[] {
	return agent.requests.flatMap((_request, index) => {
		const messages = agent.sent(index);
		const faults = findHistoryFaults(messages).map((fault) => `request ${index}: ${fault.rule}: ${fault.detail}`);
		return messages.at(-1)?.role === "user" ? faults : [...faults, `request ${index} does not end with the user`];
	});
}

export const NEVER_ABORTS = new AbortController().signal;
