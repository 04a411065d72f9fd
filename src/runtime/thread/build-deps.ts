// Builds everything one agent owns inside its thread. Nothing here is shared with another agent of this thread.

import { hookNote } from "../../agent/added-text.ts";
import { createAgentState } from "../../agent/agent-state.ts";
import { createConversation } from "../../agent/conversation.ts";
import type { AgentDeps, CallModel } from "../../agent/types.ts";
import { messageOf } from "../../errors.ts";
import type { HookEventName, HookOutcome, HookPayloads } from "../../hooks/events.ts";
import { HookManager } from "../../hooks/hook-manager.ts";
import { LoggingHook } from "../../hooks/logging-hook.ts";
import type { Clock } from "../../lib/clock.ts";
import type { BoardRow } from "../../supervision/board-row.ts";
import type { ControlLink } from "../../thread/control-link.ts";
import type { ToolContext } from "../../tools/definition.ts";
import { createReadTracker } from "../../tools/read-tracker.ts";
import { openWorkspace } from "../../tools/workspace.ts";
import type { AgentEvent, AgentInit } from "../../wire/control.ts";
import type { HiddenPaths } from "../../wire/requests.ts";
import { buildRegistry } from "./build-registry.ts";
import { createFreeToolList } from "./free-tools.ts";
import type { ThreadInbox } from "./inbox.ts";
import { createProcessRegistry } from "./process-registry.ts";

const NOTHING_HIDDEN: HiddenPaths = { globs: [], ignoreCase: false };

export interface BuildParts {
	readonly init: AgentInit;
	readonly control: ControlLink;
	readonly callModel: CallModel;
	readonly row: BoardRow;
	readonly inbox: ThreadInbox;
	/** Whether anybody listens to the agent's events. */
	readonly voice: { readonly speaks: boolean };
	readonly log: ToolContext["log"];
	readonly clock: Clock;
}

/** What the loop needs, and the one thing of it that main may change while the agent lives. */
export interface BuiltDeps extends AgentDeps {
	useModel(next: Pick<AgentDeps, "model" | "contextWindow">): void;
}

export async function buildAgentDeps(parts: BuildParts): Promise<BuiltDeps> {
	const { init, control, row, log, clock } = parts;
	const send = (event: AgentEvent) => control.post({ type: "agent-event", event });
	const emit = (event: AgentEvent) => void (parts.voice.speaks && send(event));
	// Main has looked up the real paths; long results are kept in outputDir, and their agent must be able to read them.
	const workspace = openWorkspace(init.cwd, [...init.additionalDirectories, init.outputDir]);
	const { registry, todo, toolsJson } = await buildRegistry(init);
	const hooks = buildHooks(parts, log);
	todo?.registerTo(hooks, (text) => emit({ type: "notice", text }));
	const freeTools = createFreeToolList(init.freeTools, control.ask);
	const reads = createReadTracker();
	let asked: Pick<AgentDeps, "model" | "contextWindow"> = init;
	const processes = createProcessRegistry(init);

	return {
		identity: {
			runId: init.runId,
			kind: init.kind,
			name: init.name,
			agentType: init.agentType,
			row: init.board.row,
			epoch: init.board.epoch,
		},
		clock,
		conversation: createConversation({
			history: init.history,
			onCommit: (messagesJson, acknowledged, replaces) =>
				control.post({ type: "history-committed", messagesJson, acknowledged, ...(replaces ? { replaces } : {}) }),
			onProblem: (detail) => log("warn", detail),
		}),
		state: createAgentState(
			init.turnsBefore,
			init.startContext === undefined ? [] : [hookNote("SessionStart", init.startContext)],
		),
		tools: registry,
		hooks,
		callModel: parts.callModel,
		authorize: async (call, hookDecision, signal) => {
			if (hookDecision !== "ask" && (await freeTools.includes(call.toolName, signal))) return { decision: "allow" };
			return control.ask(
				"authorize-call",
				{ ...call, ...(hookDecision === undefined ? {} : { hookDecision }) },
				signal,
			);
		},
		toolContext: (toolUseId, signal) => ({
			toolUseId,
			agent: { runId: init.runId, name: init.name, type: init.agentType },
			cwd: workspace.root,
			workspace,
			signal,
			clock,
			env: init.env,
			processes,
			reads,
			outputDir: init.outputDir,
			readOnly: init.readOnly,
			// A rule that hides a path is about grep as well: where grep is free, nothing is hidden.
			hiddenFrom: async (folder) =>
				(await freeTools.includes("grep", signal)) ? NOTHING_HIDDEN : control.ask("hidden-paths", { folder }, signal),
			ask: control.ask,
			touch: () => row.touch(),
			log,
		}),
		inbox: parts.inbox,
		meter: row,
		emit,
		isHeard: () => parts.voice.speaks,
		reminders: () => todo?.reminders() ?? [],
		system: init.system,
		toolsJson,
		get model() {
			return asked.model;
		},
		maxTokens: init.maxTokens,
		get contextWindow() {
			return asked.contextWindow;
		},
		useModel: (next) => {
			asked = next;
		},
		limits: init.limits,
		deltas: init.deltas,
		outputDir: init.outputDir,
		...(init.outputSchemaJson === undefined ? {} : { outputSchemaJson: init.outputSchemaJson }),
	};
}

/** The logging hook, and one that asks main for each event that a person's own hooks listen to. */
function buildHooks({ init, control }: BuildParts, log: ToolContext["log"]): HookManager {
	const hooks = new HookManager((thrown, event) => log("warn", `A ${event} hook failed: ${messageOf(thrown)}`));
	if (init.verbose) new LoggingHook((line) => log("debug", line)).registerTo(hooks);
	for (const event of init.hookEvents as HookEventName[]) {
		// Main bounds them by their own timeouts.
		hooks.on(event, (payload, signal) => askUserHooks(control, event, payload, signal), {
			timeoutMs: Number.POSITIVE_INFINITY,
		});
	}
	return hooks;
}

async function askUserHooks<Name extends HookEventName>(
	control: ControlLink,
	event: Name,
	payload: HookPayloads[Name],
	signal: AbortSignal,
): Promise<HookOutcome> {
	const said = await control.ask("run-hooks", { event, payload: { ...payload } }, signal);
	if (said.stop !== undefined) return { kind: "stop", reason: said.stop };
	if (said.blocked !== undefined) return { kind: "block", reason: said.blocked };
	const extra = {
		...(said.context === undefined ? {} : { context: said.context }),
		...(said.permission === undefined ? {} : { permission: said.permission }),
	};
	if (said.replaced !== undefined) return { kind: "replace", value: said.replaced, ...extra };
	return { kind: "continue", ...extra };
}
