// Who on main answers what an agent may ask: one line per method.

import type { Store } from "../store/store.ts";
import { createDispatch } from "../subagents/dispatch.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { RunSupervisor } from "../supervision/run-supervisor.ts";
import type { HostTools } from "./agents/host-tools.ts";
import type { Isolation } from "./agents/isolation.ts";
import { type Profiles, profileOfRun } from "./agents/profiles.ts";
import type { RunNotes } from "./agents/run-notes.ts";
import { askPerson } from "./ask-person.ts";
import type { HookMoments } from "./hooks/hook-moments.ts";
import type { HookRelay } from "./hooks/hook-relay.ts";
import type { ResolvedOptions } from "./options/options.ts";
import { createGrants } from "./permissions/grants.ts";
import { createHookDecisions } from "./permissions/hook-decisions.ts";
import type { Permissions } from "./permissions/permissions.ts";
import type { Unattended } from "./permissions/unattended.ts";
import { createRequestRouter, type RequestRouter } from "./request-router.ts";
import type { Rooms } from "./rooms/rooms.ts";

export interface AnswerParts {
	readonly options: ResolvedOptions;
	readonly supervisor: RunSupervisor;
	readonly store: Store;
	readonly profiles: Profiles;
	readonly permissions: Permissions;
	readonly isolation: Isolation;
	readonly notes: RunNotes;
	readonly hostTools: HostTools;
	readonly hooks: HookRelay;
	readonly moments: HookMoments;
	readonly rooms: Rooms;
	readonly unattended: Unattended;
}

export function createAnswers(parts: AnswerParts): RequestRouter {
	const { options, supervisor, profiles, permissions, isolation, notes, unattended } = parts;
	const profileOf = (run: LiveRun) => profileOfRun(profiles, options.maxDepth, run);
	const dispatch = createDispatch({
		supervisor,
		clock: options.clock,
		maxDepth: options.maxDepth,
		maxDescendants: options.maxDescendants,
		agentType: profiles.definition,
		allowedTypes: (asker) => profileOf(asker).startableTypes,
		limitsFor: (definition) => ({ ...options.limits, ...definition.limits }),
		findRecord: async (runId) => parts.store.runs.getRun(runId),
		noteModel: (runId, model) => notes.note(runId, { model }),
		checkIsolation: isolation.check,
		noteIsolation: (runId, kind) => notes.note(runId, { isolation: kind }),
	});
	const hostTools = new Set(parts.hostTools.list.map(({ name }) => name));
	const roomTools = new Set(parts.rooms.specs.map(({ name }) => name));
	const grants = createGrants({ isHostTool: (name) => hostTools.has(name), isRoomTool: (name) => roomTools.has(name) });
	const router = createRequestRouter((run, method, params) => {
		const profile = profileOf(run);
		const freeTools = () => permissions.freeTools(profile).names;
		return grants.settle(run, { toolNames: profile.toolNames, freeTools }, method, params);
	});
	router.register("spawn-run", dispatch.spawn);
	router.register("query-run", dispatch.query);
	const decisions = createHookDecisions();
	router.register("authorize-call", async (run, call, signal) => {
		const hookDecision = decisions.take(run, call);
		const answer = await permissions.authorize(run, profileOf(run), { ...call, hookDecision }, signal);
		grants.note(run, call, answer);
		return answer;
	});
	router.register("list-free-tools", async (run) => {
		const { names, version } = permissions.freeTools(profileOf(run));
		return { names, version };
	});
	router.register("hidden-paths", async (run, { folder }) => permissions.hiddenFrom(run, folder));
	router.register("call-host-tool", parts.hostTools.call);
	router.register("run-hooks", async (run, request, signal) => {
		const said = await parts.hooks.run(run, request, signal);
		decisions.note(run, request, said);
		return said;
	});
	router.register("room-call", parts.rooms.call);
	router.register("ask-user", (run, question, signal) => {
		const ask = unattended.has(run.spec.id) ? undefined : options.askUser;
		if (ask) parts.moments.needsAnswer(run, question.question);
		return askPerson({ ...options, askUser: ask }, supervisor, run, question, signal);
	});
	return router;
}
