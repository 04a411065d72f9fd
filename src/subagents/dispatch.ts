// The dispatch of subagents on main: checks what an agent asks for, builds the run, waits where it shall.
// The supervisor owns the run from there on.

import type { AgentDefinition } from "../config/agent-definition.ts";
import { ClowderError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { LiveRun, RunSpec } from "../supervision/live-run.ts";
import type { RunSupervisor } from "../supervision/run-supervisor.ts";
import type { QueryRunResult, RequestParams, SpawnResult } from "../wire/requests.ts";
import type { RunRecord } from "../wire/run.ts";
import { DEFAULT_AGENT_TYPE } from "./agent-types.ts";

export interface DispatchOptions {
	readonly supervisor: RunSupervisor;
	readonly clock: Clock;
	/** Levels of subagents below the lead. */
	readonly maxDepth: number;
	/** Runs that one tree may start in all its life. */
	readonly maxDescendants: number;
	/** A type by name. @throws ERR_UNKNOWN_AGENT_TYPE */
	agentType(name: string): AgentDefinition;
	/** Types the asking agent may start; undefined = all. */
	allowedTypes(asker: LiveRun): readonly string[] | undefined;
	limitsFor(definition: AgentDefinition): RunSpec["limits"];
	/** A record by id, also of a run that has ended. */
	findRecord(runId: string): Promise<RunRecord | undefined>;
	/** Remembers what is not part of a record: the model asked for. */
	noteModel(runId: string, model: string): void;
	/** Whether agents can be kept apart in this way here. @throws ERR_BAD_INPUT, ERR_NO_REPOSITORY, ERR_GIT */
	checkIsolation(isolation: string): Promise<"worktree">;
	noteIsolation(runId: string, isolation: "worktree"): void;
}

export interface Dispatch {
	/** `signal`: the asker no longer waits; a foreground run is then stopped. */
	spawn(asker: LiveRun, wanted: RequestParams<"spawn-run">, signal: AbortSignal): Promise<SpawnResult>;
	query(asker: LiveRun, wanted: RequestParams<"query-run">, signal: AbortSignal): Promise<QueryRunResult>;
}

export function createDispatch(options: DispatchOptions): Dispatch {
	const { supervisor, clock } = options;
	const descendants = new WeakMap<LiveRun, number>();

	function check(asker: LiveRun, definition: AgentDefinition, background: boolean): void {
		if (asker.spec.depth >= options.maxDepth) {
			throw new ClowderError("ERR_MAX_DEPTH", `subagents may not be nested deeper than ${options.maxDepth}`);
		}
		const allowed = options.allowedTypes(asker);
		if (allowed && !allowed.includes(definition.name)) {
			throw new ClowderError("ERR_UNKNOWN_AGENT_TYPE", `agent type '${definition.name}' may not be started from here`, {
				remedy: `Use one of: ${allowed.join(", ")}`,
			});
		}
		if (!background && !supervisor.mayAwaitChild) {
			throw new ClowderError("ERR_TOO_MANY_THREADS", "too many agents wait for their subagents already", {
				remedy: "Start it in the background",
			});
		}
		const root = rootOf(asker);
		const started = descendants.get(root) ?? 0;
		if (started >= options.maxDescendants) {
			throw new ClowderError(
				"ERR_MAX_DESCENDANTS",
				`one agent may not start more than ${options.maxDescendants} subagents`,
			);
		}
		descendants.set(root, started + 1);
	}

	async function spawn(asker: LiveRun, wanted: RequestParams<"spawn-run">, signal: AbortSignal): Promise<SpawnResult> {
		const definition = options.agentType(wanted.agentType ?? DEFAULT_AGENT_TYPE);
		const wantedIsolation = wanted.isolation ?? definition.isolation;
		const isolation = wantedIsolation === undefined ? undefined : await options.checkIsolation(wantedIsolation);
		// Race: the asker may have ended meanwhile, and would have a child that nobody stops.
		signal.throwIfAborted();
		check(asker, definition, wanted.background);
		const id = newId("task");
		if (isolation !== undefined) options.noteIsolation(id, isolation);
		const model = wanted.model ?? definition.model;
		if (model !== undefined && model !== "inherit") options.noteModel(id, model);
		const run = supervisor.accept({
			id,
			kind: "subagent",
			name: wanted.name ?? wanted.description,
			description: wanted.description,
			prompt: wanted.prompt,
			agentType: definition.name,
			depth: asker.spec.depth + 1,
			background: wanted.background,
			limits: options.limitsFor(definition),
			parentId: asker.spec.id,
			...(wanted.background ? {} : { signal }),
		});
		if (wanted.background) {
			// Nothing is acknowledged before it is durable.
			await run.admitted;
			return { runId: id };
		}
		const record = await supervisor.awaitChild(asker, run);
		return { runId: id, ended: endOf(record) };
	}

	async function query(
		_asker: LiveRun,
		{ runId, waitMs }: RequestParams<"query-run">,
		signal: AbortSignal,
	): Promise<QueryRunResult> {
		const live = supervisor.get(runId);
		if (live && waitMs > 0) await firstOf(live, waitMs, signal, clock);
		const record = live?.record ?? (await options.findRecord(runId));
		if (!record) throw new ClowderError("ERR_UNKNOWN_RUN", `task not found: ${runId}`);
		return {
			status: record.status,
			...(record.finalText === undefined ? {} : { finalText: record.finalText }),
			...(record.error === undefined ? {} : { error: record.error }),
			...(record.worktree === undefined ? {} : { worktree: record.worktree }),
		};
	}

	return { spawn, query };
}

function endOf(record: RunRecord): NonNullable<SpawnResult["ended"]> {
	return {
		status: record.status,
		reason: record.reason ?? "lost",
		finalText: record.finalText ?? "",
		...(record.error === undefined ? {} : { error: record.error }),
		...(record.worktree === undefined ? {} : { worktree: record.worktree }),
	};
}

function rootOf(run: LiveRun): LiveRun {
	return run.parent ? rootOf(run.parent) : run;
}

function firstOf(run: LiveRun, waitMs: number, signal: AbortSignal, clock: Clock): Promise<void> {
	return new Promise((resolve) => {
		const timer = clock.after(waitMs, resolve);
		const done = () => {
			timer.cancel();
			resolve();
		};
		signal.addEventListener("abort", done, { once: true });
		void run.ended.promise.then(done);
	});
}
