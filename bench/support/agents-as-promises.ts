// The baseline: agents as promises in one thread. The same loop and tools, the same gateway code called through a
// linked pair of ports instead of real ones, no supervision. Records are kept where the caller brings a place for them.

import { createAgentState } from "../../src/agent/agent-state.ts";
import { createConversation } from "../../src/agent/conversation.ts";
import { runPrompt } from "../../src/agent/run-prompt.ts";
import { buildSystemPrompt } from "../../src/agent/system-prompt.ts";
import type { AgentDeps } from "../../src/agent/types.ts";
import { jobTools } from "../../src/background/job-tools.ts";
import { cronTools } from "../../src/cron/cron-tools.ts";
import { HookManager } from "../../src/hooks/hook-manager.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createGateway } from "../../src/model/gateway.ts";
import { taskTools } from "../../src/tasks/task-tools.ts";
import { TodoStore } from "../../src/todo/todo-store.ts";
import { createTodoWriteTool, TODO_WRITE_SPEC } from "../../src/todo/todo-write.ts";
import { builtinToolSpecs } from "../../src/tools/builtin/specs.ts";
import { createReadTracker } from "../../src/tools/read-tracker.ts";
import { ToolRegistry } from "../../src/tools/registry.ts";
import { toolSpecOf } from "../../src/tools/tool-spec.ts";
import { createWorkspace } from "../../src/tools/workspace.ts";
import type { CallModel, ModelEvent } from "../../src/wire/model-call.ts";
import type { ModelConfig } from "../../src/wire/model-config.ts";

/** What one agent does to be found again after a crash. */
export interface AgentRecords {
	/** The agent has been asked for, then begins. */
	begin(): void;
	committed(messagesJson: readonly string[], replaces: boolean): void;
	/** Resolves when all of it is durable. */
	end(finalText: string): Promise<void>;
}

export interface PromiseAgents {
	readonly agents: number;
	readonly model: ModelConfig;
	readonly folder: string;
	/** Keeps no records without it. */
	recordsOf?(name: string): AgentRecords;
}

const NO_RECORDS: AgentRecords = { begin: () => {}, committed: () => {}, end: async () => {} };

export async function runAgentsAsPromises({ agents, model, folder, recordsOf }: PromiseAgents): Promise<void> {
	const gateway = createGateway({ config: model, clock: systemClock });
	// The tools of a subagent, all of them: what they are told of travels with every call.
	const roomSpecs = [...jobTools, ...cronTools, ...taskTools].map((tool) => toolSpecOf(tool, "output"));
	const specs = [...(await builtinToolSpecs()), TODO_WRITE_SPEC, ...(await Promise.all(roomSpecs))];
	const toolsJson = JSON.stringify(specs);
	const system = buildSystemPrompt({ prompt: "You carry out the task.", role: "subagent", cwd: folder });
	const outcomes = await Promise.all(
		Array.from({ length: agents }, async (_, index) => {
			const records = recordsOf?.(`agent ${index}`) ?? NO_RECORDS;
			records.begin();
			const deps = await buildDeps({ index, folder, system, toolsJson, records, callModel: connect(gateway) });
			const outcome = await runPrompt(deps, "go", new AbortController().signal);
			await records.end(outcome.finalText);
			return outcome;
		}),
	);
	gateway.close();
	const failed = outcomes.find((outcome) => outcome.reason !== "done");
	if (failed) throw new Error(`An agent failed: ${failed.error}`);
}

/** Calls the gateway in this thread. */
function connect(gateway: ReturnType<typeof createGateway>): CallModel {
	let command: (message: unknown) => void = () => {};
	const settle = new Map<number, (event: ModelEvent) => void>();
	gateway.connect({
		post: (event) => queueMicrotask(() => settle.get(event.callId)?.(event)),
		onMessage: (listener) => {
			command = listener;
		},
		onClose: () => {},
		close: () => {},
	});
	let callId = 0;
	return ({ system, toolsJson, ...request }) =>
		new Promise((resolve, reject) => {
			callId += 1;
			settle.set(callId, (event) => {
				if (event.type === "call-finished") resolve(event.reply);
				if (event.type === "call-failed") reject(new Error(event.error.message));
			});
			if (callId === 1) command({ type: "use-prefix", prefix: { system, toolsJson } });
			command({ type: "start-call", callId, request });
		});
}

interface DepsParts {
	readonly index: number;
	readonly folder: string;
	readonly system: string;
	readonly toolsJson: string;
	readonly records: AgentRecords;
	readonly callModel: CallModel;
}

async function buildDeps(parts: DepsParts): Promise<AgentDeps> {
	const { index, folder, system, toolsJson, records, callModel } = parts;
	const tools = new ToolRegistry();
	tools.register(createTodoWriteTool(new TodoStore()));
	const workspace = await createWorkspace({ cwd: folder, additionalDirectories: [] });
	const reads = createReadTracker();
	const identity = {
		runId: `promise_${index}`,
		kind: "subagent",
		name: `agent ${index}`,
		agentType: "general",
		row: 0,
		epoch: 0,
	} as const;
	const nothing = () => {};
	return {
		identity,
		clock: systemClock,
		conversation: createConversation({
			history: [],
			onCommit: (messagesJson, _acknowledged, replaces) => records.committed(messagesJson, replaces),
		}),
		state: createAgentState(0),
		tools,
		hooks: new HookManager(nothing),
		callModel,
		authorize: async () => ({ decision: "allow" }),
		toolContext: (toolUseId, signal) => ({
			toolUseId,
			agent: { runId: identity.runId, name: identity.name, type: identity.agentType },
			cwd: workspace.root,
			workspace,
			signal,
			clock: systemClock,
			env: {},
			processes: { marker: {}, add: nothing, remove: nothing },
			reads,
			outputDir: folder,
			readOnly: false,
			hiddenFrom: async () => ({ globs: [], ignoreCase: false }),
			ask: () => Promise.reject(new Error("There is no main thread to ask")),
			touch: nothing,
			log: nothing,
		}),
		inbox: { take: () => [] },
		meter: { phase: nothing, touch: nothing, turn: nothing, toolCall: nothing, reply: nothing },
		emit: nothing,
		reminders: () => [],
		system,
		toolsJson,
		model: "claude-bench",
		maxTokens: 16_384,
		contextWindow: 200_000,
		limits: {},
		deltas: false,
		outputDir: folder,
	};
}
