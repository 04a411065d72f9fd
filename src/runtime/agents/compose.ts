// Puts together what one run's thread is given. Everything per run is made here and crosses once.

import type { AgentDefinition } from "../../config/agent-definition.ts";
import { DEFAULT_LIMITS } from "../../supervision/decide-deadline.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { ProcessLedger } from "../../supervision/process-ledger.ts";
import type { StatusBoard } from "../../supervision/status-board.ts";
import type { AgentInit, FreeTools } from "../../wire/control.ts";
import type { RunLimits } from "../../wire/run.ts";
import type { PriceCheck } from "../options/price-caps.ts";
import { contextWindowOf, MAX_OUTPUT_TOKENS, modelId } from "../options/resolve-model.ts";
import { addressOf, type Mail } from "../rooms/mail.ts";
import type { Journal } from "../sessions/journal.ts";
import type { HostTools } from "./host-tools.ts";
import type { Isolation } from "./isolation.ts";
import type { AgentProfile, Profiles } from "./profiles.ts";
import type { RunNotes } from "./run-notes.ts";

export interface ComposeParts {
	readonly sessionId: string;
	readonly isolation: Isolation;
	readonly additionalDirectories: readonly string[];
	readonly board: StatusBoard;
	readonly processes: ProcessLedger;
	readonly profiles: Profiles;
	freeTools(profile: AgentProfile): FreeTools;
	readonly hostTools: HostTools;
	readonly toolModules: readonly string[];
	readonly journal: Journal;
	readonly mail: Mail;
	readonly notes: RunNotes;
	/** Existing folder; files in it are named after runs and calls. */
	readonly outputDir: string;
	readonly defaultModel: string;
	readonly checkPrice: PriceCheck;
	readonly maxDepth: number;
	hookEvents(run: LiveRun): readonly string[];
	readonly verbose: boolean;
}

const EMPTY = { messagesJson: [], acknowledged: [] };

export function createCompose(parts: ComposeParts): (run: LiveRun) => Promise<AgentInit> {
	return async (run) => {
		const { spec } = run;
		const model = chooseModel(parts, { ...spec, parent: run.parent, wanted: parts.notes.of(spec.id).model });
		parts.checkPrice(model, spec.limits);
		const { cwd, env } = await parts.isolation.open(run);
		const note = parts.notes.of(spec.id);
		const profile = parts.profiles.get({
			definition: definitionOf(run, parts, note.systemPrompt),
			role: spec.kind,
			mayDelegate: spec.depth < parts.maxDepth,
			cwd,
		});
		const continues = spec.kind !== "subagent";
		const { messagesJson: history, acknowledged } = continues ? await parts.journal.load(addressOf(run)) : EMPTY;
		await parts.mail.open(run, acknowledged);
		const startContext = await note.startContext;
		parts.notes.note(spec.id, { model });
		run.update({ model });
		return {
			runId: spec.id,
			sessionId: parts.sessionId,
			kind: spec.kind,
			name: spec.name,
			agentType: spec.agentType,
			depth: spec.depth,
			cwd,
			additionalDirectories: parts.additionalDirectories,
			env,
			system: profile.system,
			toolNames: profile.toolNames,
			freeTools: parts.freeTools(profile),
			toolsJson: profile.toolsJson,
			toolModules: parts.toolModules,
			hostTools: parts.hostTools.list,
			readOnly: profile.definition.readOnly ?? false,
			model,
			maxTokens: MAX_OUTPUT_TOKENS,
			contextWindow: contextWindowOf(model),
			limits: spec.limits,
			history,
			turnsBefore: countTurns(history),
			...(note.outputSchemaJson === undefined ? {} : { outputSchemaJson: note.outputSchemaJson }),
			hookEvents: parts.hookEvents(run),
			...(startContext === undefined ? {} : { startContext }),
			deltas: spec.kind === "lead",
			sendsEvents: spec.kind !== "subagent" || run.isWatched,
			verbose: parts.verbose,
			outputDir: parts.outputDir,
			board: { buffer: parts.board.rowBuffer(run.key.row), row: run.key.row, epoch: run.key.epoch },
			processes: parts.processes.buffer,
			heartbeatMs: heartbeatOf(spec.limits),
		};
	};
}

function definitionOf({ spec }: LiveRun, { profiles }: ComposeParts, prompt: string | undefined): AgentDefinition {
	const definition = profiles.definition(spec.agentType);
	return prompt === undefined ? definition : { ...definition, prompt };
}

/**
 * Often enough for the deadline, and no more: every beat wakes a thread. Memory is seen that often too; what grows
 * faster meets the hard limit.
 */
function heartbeatOf(limits: RunLimits): number {
	const { unresponsiveMs } = { ...DEFAULT_LIMITS, ...limits };
	return Math.max(50, Math.min(1_000, unresponsiveMs / 4));
}

/** The call's model, else the type's, else the parent's, else the supervisor's. */
export function chooseModel(
	{ profiles, notes, defaultModel }: Pick<ComposeParts, "profiles" | "notes" | "defaultModel">,
	run: {
		readonly agentType: string;
		readonly parent?: LiveRun | undefined;
		readonly wanted?: string | undefined;
	},
): string {
	const own = run.wanted ?? profiles.definition(run.agentType).model;
	if (own !== undefined && own !== "inherit") return modelId(own);
	return (run.parent && notes.of(run.parent.spec.id).model) ?? defaultModel;
}

function countTurns(history: readonly string[]): number {
	return history.filter((json) => json.startsWith('{"role":"assistant"')).length;
}
