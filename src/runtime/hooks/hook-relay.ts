// A person's own hooks on main: threads ask for the moments they see, main fires those that it alone sees. Hooks of an
// agent type's own file run for agents of that type, beside those of the settings.

import { joinHooks } from "../../config/hooks-section.ts";
import { ClowderError } from "../../errors.ts";
import type { HookEventName, HookPayloads } from "../../hooks/events.ts";
import type { HooksConfig } from "../../hooks/hook-config.ts";
import type { HookPayload } from "../../hooks/hook-input.ts";
import { createUserHooks, type UserHooks } from "../../hooks/user-hooks.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { HooksResult, RequestParams } from "../../wire/requests.ts";
import type { RunFolder } from "../agents/isolation.ts";
import type { ResolvedOptions } from "../options/options.ts";
import type { Permissions } from "../permissions/permissions.ts";
import type { Project } from "../project.ts";

export interface HookRelayParts {
	readonly project: Pick<Project, "hooks" | "env">;
	readonly options: ResolvedOptions;
	readonly sessionId: string;
	readonly transcriptPath: string;
	readonly permissions: Pick<Permissions, "mode">;
	/** The hooks that the run's agent type brings along. */
	ownHooks(run: LiveRun): HooksConfig | undefined;
	/** Where a run works. */
	folderOf(run: LiveRun): RunFolder;
}

export interface HookRelay {
	/** Events for which the run's agent has to ask. */
	eventsFor(run: LiveRun): readonly string[];
	/** What the run's agent asks. */
	run(run: LiveRun, request: RequestParams<"run-hooks">, signal: AbortSignal): Promise<HooksResult>;
	/** Fires an event of main's own, about a run or the session as a whole. Never rejects. */
	fire<Name extends HookEventName>(
		event: Name,
		payload: HookPayloads[Name],
		about?: { readonly run?: LiveRun | undefined; readonly signal?: AbortSignal },
	): Promise<HooksResult>;
	/** Whether the settings have a hook for the event. */
	listensTo(event: HookEventName): boolean;
}

export function createHookRelay(parts: HookRelayParts): HookRelay {
	const { project, options, sessionId, transcriptPath, permissions } = parts;
	const compile = (hooks: HooksConfig) =>
		createUserHooks({
			hooks,
			projectDir: options.cwd,
			env: project.env,
			session: { sessionId, transcriptPath },
			clock: options.clock,
			onWarning: options.onWarning,
		});
	const ofSession = compile(project.hooks);
	const ofSubagents = new WeakMap<HooksConfig, UserHooks>();
	const ofOthers = new WeakMap<HooksConfig, UserHooks>();

	function hooksFor(run: LiveRun | undefined): UserHooks {
		const own = run && parts.ownHooks(run);
		if (!own || Object.keys(own).length === 0) return ofSession;
		const isSubagent = run.spec.kind === "subagent";
		const known = isSubagent ? ofSubagents : ofOthers;
		const hooks = known.get(own) ?? compile(joinHooks(project.hooks, isSubagent ? asSubagents(own) : own));
		known.set(own, hooks);
		return hooks;
	}

	function agentOf(run: LiveRun | undefined) {
		return {
			cwd: run ? parts.folderOf(run).cwd : options.cwd,
			permissionMode: permissions.mode,
			...(run === undefined || run.spec.kind === "lead" ? {} : { agentId: run.spec.id, agentType: run.spec.agentType }),
		};
	}

	return {
		eventsFor: (run) => hooksFor(run).events,
		run: async (run, { event, payload }, signal) =>
			hooksFor(run).run(event, ownPayload(run, event, payload), agentOf(run), signal),
		fire: (event, payload, { run, signal = NEVER } = {}) =>
			hooksFor(run).run(event, { ...payload }, agentOf(run), signal),
		listensTo: (event) => ofSession.events.includes(event),
	};
}

const NEVER = new AbortController().signal;

/** What a thread may say of a moment that it sees: the facts that main knows are main's. @throws ERR_BAD_MESSAGE */
function ownPayload({ spec }: LiveRun, event: string, payload: HookPayload): HookPayload {
	switch (event) {
		case "PreToolUse":
		case "PostToolUse":
		case "UserPromptSubmit":
		case "Stop":
		case "PreCompact":
			return payload;
		case "SubagentStart":
		case "SubagentStop":
			return { ...payload, runId: spec.id, agentType: spec.agentType, description: spec.name };
		case "SessionStart":
			return { source: "compact" };
		default:
			throw new ClowderError("ERR_BAD_MESSAGE", `No agent fires '${event}'`);
	}
}

// As in Claude Code: the end that an agent's file speaks of is that agent's, and a subagent's end is its own event.
function asSubagents({ Stop, ...others }: HooksConfig): HooksConfig {
	return Stop === undefined ? others : joinHooks(others, { SubagentStop: Stop });
}
