// The composition of everything on the main thread: reads the options, starts the threads, ties the rooms together,
// and takes all of it down again in the reverse order.

import { createMessageBus } from "../bus/message-bus.ts";
import { withoutCredentials } from "../lib/provider-credentials.ts";
import { FILE_READERS } from "../permissions/rules/tool-names.ts";
import { BUILT_IN_AGENT_TYPES } from "../subagents/agent-types.ts";
import { mergeAgentTypes } from "../subagents/merge-agent-types.ts";
import { BudgetLedger } from "../supervision/budget-ledger.ts";
import { endStrays } from "../supervision/end-strays.ts";
import { ProcessLedger, signalProcessGroup } from "../supervision/process-ledger.ts";
import { RunSupervisor } from "../supervision/run-supervisor.ts";
import { StatusBoard } from "../supervision/status-board.ts";
import { checkMaxThreads } from "../thread/limits.ts";
import { builtinToolSpecs } from "../tools/builtin/specs.ts";
import { createCompose } from "./agents/compose.ts";
import { createHostTools } from "./agents/host-tools.ts";
import { createIsolation } from "./agents/isolation.ts";
import { createProfiles } from "./agents/profiles.ts";
import { createRunNotes } from "./agents/run-notes.ts";
import { createToolFacts } from "./agents/tool-facts.ts";
import { createAnswers } from "./answer-requests.ts";
import { closeAll } from "./close-all.ts";
import { guardExit } from "./exit-guard.ts";
import { createFacade } from "./facade.ts";
import { createHookMoments } from "./hooks/hook-moments.ts";
import { createHookRelay } from "./hooks/hook-relay.ts";
import { resolveOptions, type SupervisorOptions } from "./options/options.ts";
import { createPriceCheck } from "./options/price-caps.ts";
import { defaultModelOf, resolveModel } from "./options/resolve-model.ts";
import { createPermissions } from "./permissions/permissions.ts";
import { createUnattended } from "./permissions/unattended.ts";
import { loadProject } from "./project.ts";
import { createMail } from "./rooms/mail.ts";
import { createRooms } from "./rooms/rooms.ts";
import { createJournal } from "./sessions/journal.ts";
import { subagentEndsFor } from "./sessions/missed-ends.ts";
import { noteActive, openSession } from "./sessions/open-session.ts";
import { orLeaveNothing, type Undo } from "./shut-down.ts";
import { findEntries, startThreads } from "./start-threads.ts";
import type { Supervisor } from "./supervisor.ts";

/** Rows for the lead, teammates and threads on their way out. */
const SPARE_ROWS = 64;
const WATCH_INTERVAL_MS = 100;
const KILL_TIMEOUT_MS = 2_000;

/** What `createSupervisor` does, which documents it. */
export function assembleSupervisor(given: SupervisorOptions): Promise<Supervisor> {
	return orLeaveNothing((undo) => assemble(given, undo));
}

async function assemble(given: SupervisorOptions, undo: Undo): Promise<Supervisor> {
	const options = await resolveOptions(given);
	const { clock, onWarning } = options;
	const project = await loadProject({ ...options, project: given.project });
	for (const fault of project.faults) onWarning(fault);
	const modelConfig = resolveModel({ ...options, model: options.model ?? project.model }, project.env);
	const defaultModel = defaultModelOf(modelConfig);
	const checkPrice = createPriceCheck(modelConfig, options.budget);
	checkPrice(defaultModel, options.limits);
	await checkMaxThreads(options.maxThreads);
	const entries = findEntries(options);
	const additionalDirectories = [...options.additionalDirectories, ...project.additionalDirectories];
	const unattended = createUnattended((run) => mail.waiting(run));
	const permissions = createPermissions({
		options,
		project,
		additionalDirectories,
		readsProject: given.project !== undefined,
		folderOf: (run) => isolation.folderOf(run),
		mayChange: (run) => rooms.team.mayChange(run),
		isUnattended: (runId) => unattended.has(runId),
		onAsked: (prompt) => moments.needsPermission(prompt),
		pauseClocks: (runId) => {
			const run = supervisor.get(runId);
			return run ? supervisor.pauseClocks(run) : () => {};
		},
	});
	const { store, sessionId, outputDir, interrupted } = await openSession(options);
	undo("store", () => store.close());
	undo("session", () => store.sessions.end(sessionId));
	const board = new StatusBoard({ rows: options.maxConcurrent + options.maxQueued + SPARE_ROWS });
	const processes = new ProcessLedger({ entries: Math.max(256, options.maxThreads * 16) });
	const budget = new BudgetLedger(options.budget);
	const unguardExit = guardExit(processes);
	undo("exit guard", async () => unguardExit());
	const childEnv = withoutCredentials(project.env);
	const { gateway, pool, launcherFor } = startThreads({
		...{ options, entries, modelConfig, env: project.env, childEnv, budget: budget.buffer, clock },
	});
	undo("gateway", () => gateway.close());
	undo("pool", () => pool.close());

	const bus = createMessageBus({ clock, mailboxStore: store.mailboxes(sessionId) });
	const rooms = await createRooms({
		...{ options, store, sessionId, outputDir, childEnv, bus, skills: project.skills },
		taskGate: () => moments.taskGate,
		runs: () => supervisor.live(),
		cwdOf: (run) => isolation.folderOf(run).cwd,
		envOf: (run) => isolation.envOf(run),
		surroundings: () => ({ supervisor, mail, journal, profiles, notes, isolation, idleHook: moments.teammateIdle }),
	});
	undo("rooms", () => rooms.close("the supervisor could not start"));
	const mail = createMail(
		bus,
		() => supervisor,
		async (address) => [...subagentEndsFor(address, store.runs, sessionId), ...(await rooms.endsFor(address))],
	);
	const journal = createJournal(store, sessionId, clock, onWarning);
	const notes = createRunNotes();
	const isolation = await createIsolation({
		...{ options, store, sessionId, notes, childEnv },
		jobs: () => rooms.background.jobs.list(),
	});
	const hostTools = await createHostTools(options.mainTools, isolation.folderOf, clock);
	const agentTypes = mergeAgentTypes(BUILT_IN_AGENT_TYPES, project.agents, options.agents);
	const hooks = createHookRelay({
		...{ project, options, sessionId, permissions },
		transcriptPath: journal.path("lead"),
		folderOf: isolation.folderOf,
		ownHooks: ({ spec }) => profiles.definition(spec.agentType).hooks,
	});
	const moments = createHookMoments({
		relay: hooks,
		clock,
		hasPerson: options.askUser !== undefined || options.permissions.onRequest !== undefined,
		findRun: (id) => supervisor.get(id),
	});
	const profiles = createProfiles({
		cwd: options.cwd,
		appendSystemPrompt: options.appendSystemPrompt,
		builtinSpecs: await builtinToolSpecs(),
		hostSpecs: hostTools.specs,
		roomSpecs: rooms.specs,
		builtinTools: options.builtinTools,
		deniedTools: permissions.deniedTools,
		toolFacts: createToolFacts({
			readOnly: [
				...FILE_READERS,
				...rooms.readOnlyTools,
				...hostTools.list.filter((tool) => tool.readOnly).map((tool) => tool.name),
			],
			tools: options.tools,
		}),
		instructions: project.instructions,
		skills: rooms.skillCatalog,
		canAskUser: options.askUser !== undefined,
		agentTypes: () => agentTypes,
	});
	const supervisor = new RunSupervisor({
		clock,
		board,
		processes,
		signalGroup: signalProcessGroup,
		sessionId,
		maxConcurrent: options.maxConcurrent,
		maxQueued: options.maxQueued,
		maxThreads: options.maxThreads,
		watchIntervalMs: WATCH_INTERVAL_MS,
		killTimeoutMs: KILL_TIMEOUT_MS,
		launcherFor,
		compose: createCompose({
			sessionId,
			isolation,
			additionalDirectories,
			board,
			processes,
			profiles,
			freeTools: permissions.freeTools,
			hostTools,
			toolModules: options.modules,
			journal,
			mail,
			notes,
			outputDir,
			...{ defaultModel, checkPrice },
			maxDepth: options.maxDepth,
			hookEvents: hooks.eventsFor,
			verbose: options.verbose,
		}),
		onLaunched: (run) => {
			unattended.follow(run);
			mail.attach(run);
			if (run.spec.kind === "lead") {
				moments.followLead(run);
				run.events.on("event", (event) => void (event.type === "prompt-finished" && rooms.autonomy.poke()));
			}
		},
		putRun: (record) => store.runs.putRun(record),
		onRequest: (run, request, signal) => answers.route(run, request, signal),
		onHistory: async (run, { messagesJson, acknowledged, replaces }) => {
			await journal.append(run, messagesJson, acknowledged, replaces ?? false);
			await mail.acknowledge(run, acknowledged);
			if (run.spec.kind === "lead") await rooms.cron.schedules.noteRead(acknowledged);
			rooms.team.noteRead(run, acknowledged);
		},
		onEnded: async (run, retired) => {
			permissions.withdraw(run.spec.id);
			unattended.forget(run.spec.id);
			await rooms.tasks.release(run);
			await journal.close(run);
			await isolation.close(run, retired);
			await mail.announceEnd(run);
			await mail.close(run);
			notes.forget(run.spec.id);
		},
		hasMail: (run) => mail.waitsFor(run),
		endStrays: async (runId) => void (await endStrays([runId])),
		onWarning,
	});
	const answers = createAnswers({
		...{ options, supervisor, store, profiles, permissions, isolation },
		...{ notes, hostTools, hooks, moments, rooms, unattended },
	});

	// Order: what comes due is for a lead, and there is none before everything stands.
	rooms.cron.start();
	rooms.autonomy.start();
	return createFacade({
		...{ supervisor, board, budget, bus, store, mail, notes, profiles, permissions, rooms, moments },
		...{ options, sessionId, interrupted },
		...{ project, modelConfig, defaultModel, checkPrice, outputDir, childEnv, agentTypes },
		onPrompt: (text) => noteActive(store, sessionId, text, onWarning),
		readHistory: async (conversation) => (await journal.load(conversation)).messagesJson,
		emptyHistory: async (conversation) => {
			await rooms.team.stopAll("user");
			await journal.empty(conversation, await mail.forgetTidings(conversation));
		},
		close: (why) =>
			closeAll(
				{ supervisor, rooms, isolation, pool, gateway, bus, journal, store, unguardExit, onWarning },
				{ sessionId, why },
			),
	});
}
