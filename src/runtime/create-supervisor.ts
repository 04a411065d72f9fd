// The composition of everything on the main thread: reads the options, starts the threads, ties the rooms together,
// and takes all of it down again in the reverse order.

import { join } from "node:path";
import { createMessageBus } from "../bus/message-bus.ts";
import { messageOf } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { withoutCredentials } from "../lib/provider-credentials.ts";
import { FILE_READERS } from "../permissions/rules/tool-names.ts";
import { identifySelf, isProcessAlive } from "../store/process-identity.ts";
import { makePrivateDir, projectStateDir } from "../store/state-dir.ts";
import { openStore } from "../store/store.ts";
import { BUILT_IN_AGENT_TYPES } from "../subagents/agent-types.ts";
import { createDispatch } from "../subagents/dispatch.ts";
import { mergeAgentTypes } from "../subagents/merge-agent-types.ts";
import { BudgetLedger } from "../supervision/budget-ledger.ts";
import { endStrays } from "../supervision/end-strays.ts";
import { ProcessLedger, signalProcessGroup } from "../supervision/process-ledger.ts";
import { RunSupervisor } from "../supervision/run-supervisor.ts";
import { StatusBoard } from "../supervision/status-board.ts";
import { createDedicatedLauncher } from "../thread/dedicated-thread.ts";
import { entryUrl } from "../thread/entries.ts";
import { startGatewayThread } from "../thread/gateway-thread.ts";
import { checkMaxThreads } from "../thread/limits.ts";
import { createSubagentPool } from "../thread/subagent-pool.ts";
import { builtinToolSpecs } from "../tools/builtin/specs.ts";
import { askPerson } from "./ask-person.ts";
import { createCompose } from "./compose.ts";
import { gatewayEnvironment } from "./environment.ts";
import { guardExit } from "./exit-guard.ts";
import { createHookRelay } from "./hook-relay.ts";
import { createHostTools } from "./host-tools.ts";
import { createJournal } from "./journal.ts";
import { createMail } from "./mail.ts";
import { resolveOptions, type SupervisorOptions } from "./options.ts";
import { createPermissions } from "./permissions.ts";
import { createProfiles } from "./profiles.ts";
import { loadProject } from "./project.ts";
import { createRequestRouter } from "./request-router.ts";
import { defaultModelOf, resolveModel } from "./resolve-model.ts";
import { createRunNotes } from "./run-notes.ts";
import { shutDown } from "./shut-down.ts";
import { splitTools } from "./split-tools.ts";
import { createFacade, type Supervisor } from "./supervisor.ts";

/** Rows for the lead, teammates and threads on their way out. */
const SPARE_ROWS = 64;
const WATCH_INTERVAL_MS = 100;
const HEARTBEAT_MS = 250;
const KILL_TIMEOUT_MS = 2_000;
const IDLE_THREAD_MS = 30_000;

/**
 * Starts a supervisor: a model gateway thread, a warm pool of agent threads, and the stores of this project.
 *
 * **Contract**: rejects, leaving nothing behind, when anything it was given cannot be used.
 * @throws ERR_BAD_OPTION, ERR_FILE, ERR_MODEL_CONFIG, ERR_TOO_MANY_THREADS, ERR_STATE_DIR, ERR_STATE_CORRUPT, ERR_THREAD_START
 * @example
 * await using supervisor = await createSupervisor({ cwd: "/srv/repo", maxConcurrent: 4 });
 * const run = supervisor.spawn({ description: "find TODOs", prompt: "List every TODO.", agentType: "explore" });
 * console.log((await run.result()).finalText);
 */
export async function createSupervisor(given: SupervisorOptions = {}): Promise<Supervisor> {
	const options = await resolveOptions(given);
	const { clock, onWarning } = options;
	const project = await loadProject({ ...options, project: given.project });
	for (const fault of project.faults) onWarning(fault);
	const modelConfig = resolveModel({ ...options, model: options.model ?? project.model }, project.env);
	await checkMaxThreads(options.maxThreads);
	const entries = {
		subagent: entryUrl("subagent", options.workerUrl),
		lead: entryUrl("lead", options.workerUrl),
		gateway: entryUrl("gateway", options.workerUrl),
	};
	const additionalDirectories = [...options.additionalDirectories, ...project.additionalDirectories];
	const permissions = createPermissions({
		options,
		project,
		additionalDirectories,
		pauseClocks: (runId) => {
			const run = supervisor.get(runId);
			return run ? supervisor.pauseClocks(run) : () => {};
		},
	});
	const stateDir = options.stateDir ?? (await projectStateDir(options.homeDir, options.cwd));
	const store = await openStore({
		stateDir,
		clock,
		onFault: (fault) => onWarning(`${fault.place} ${fault.key}: ${fault.reason}`),
	});
	const sessionId = options.sessionId ?? newId("session");
	await store.sessions.start({ id: sessionId, cwd: options.cwd, owner: await identifySelf() });
	const interrupted = await store.runs.markInterrupted(({ owner }) => isProcessAlive(owner));

	const outputDir = join(stateDir, "outputs", sessionId);
	await makePrivateDir(outputDir);

	const board = new StatusBoard({ rows: options.maxConcurrent + options.maxQueued + SPARE_ROWS });
	const processes = new ProcessLedger({ entries: Math.max(256, options.maxThreads * 16) });
	const budget = new BudgetLedger(options.budget);
	const defaultModel = defaultModelOf(modelConfig);
	const unguardExit = guardExit(processes);
	const heapMb = options.limits.heapMb ?? 256;
	const childEnv = withoutCredentials(project.env);
	const gateway = startGatewayThread({
		entry: entries.gateway,
		config: modelConfig,
		env: gatewayEnvironment(project.env),
		budget: budget.buffer,
		clock,
		onWarning,
	});
	const pool = createSubagentPool({
		entry: entries.subagent,
		env: childEnv,
		minThreads: options.warmThreads,
		maxThreads: options.maxThreads,
		heapMb,
		idleTimeoutMs: IDLE_THREAD_MS,
		maxStarting: 8,
		gateway,
		clock,
		onWarning,
	});
	const dedicated = createDedicatedLauncher({ entry: entries.lead, env: childEnv, heapMb: heapMb * 2, gateway, clock });

	const bus = createMessageBus({ clock, mailboxStore: store.mailboxes(sessionId) });
	const mail = createMail(bus, () => supervisor);
	const journal = createJournal(store, sessionId);
	const notes = createRunNotes();
	const { mainTools, modules } = splitTools(options.tools);
	const hostTools = await createHostTools(mainTools, options.cwd, clock);
	const agentTypes = mergeAgentTypes(BUILT_IN_AGENT_TYPES, project.agents, options.agents);
	const hooks = createHookRelay({ project, options, sessionId, transcriptPath: journal.path("lead"), permissions });
	const profiles = createProfiles({
		cwd: options.cwd,
		appendSystemPrompt: options.appendSystemPrompt,
		builtinSpecs: await builtinToolSpecs(),
		hostSpecs: hostTools.specs,
		deniedTools: permissions.deniedTools,
		freeTools: permissions.freeTools,
		readOnlyTools: new Set([
			...FILE_READERS,
			...hostTools.list.filter((tool) => tool.readOnly).map((tool) => tool.name),
		]),
		instructions: project.instructions,
		canAskUser: options.askUser !== undefined,
		agentTypes: () => agentTypes,
	});
	const router = createRequestRouter();
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
		launcherFor: (kind) => (kind === "subagent" ? pool : dedicated),
		compose: createCompose({
			sessionId,
			cwd: options.cwd,
			additionalDirectories,
			childEnv,
			board,
			processes,
			profiles,
			hostTools,
			toolModules: modules,
			journal,
			mail,
			notes,
			outputDir,
			defaultModel,
			maxDepth: options.maxDepth,
			heartbeatMs: HEARTBEAT_MS,
			hookEvents: hooks.events,
			verbose: options.verbose,
		}),
		onLaunched: (run) => mail.attach(run),
		putRun: (record) => store.runs.putRun(record),
		onRequest: (run, request) => router.route(run, request),
		onHistory: async (run, { messagesJson, acknowledged, replaces }) => {
			await journal.append(run, messagesJson, acknowledged, replaces ?? false);
			await mail.acknowledge(run, acknowledged);
		},
		onEnded: async (run) => {
			permissions.withdraw(run.spec.id);
			await journal.close(run);
			await mail.announceEnd(run);
			await mail.close(run);
			notes.forget(run.spec.id);
		},
		hasMail: (run) => mail.waitsFor(run),
		endStrays: async (runId) => void (await endStrays(runId)),
		onWarning,
	});
	const dispatch = createDispatch({
		supervisor,
		clock,
		maxDepth: options.maxDepth,
		maxDescendants: options.maxDescendants,
		agentType: profiles.definition,
		allowedTypes: (asker) =>
			profiles.get({
				definition: profiles.definition(asker.spec.agentType),
				role: asker.spec.kind,
				mayDelegate: asker.spec.depth < options.maxDepth,
			}).startableTypes,
		limitsFor: (definition) => ({ ...options.limits, ...definition.limits }),
		findRecord: async (runId) => store.runs.getRun(runId),
		noteModel: (runId, model) => notes.note(runId, { model }),
	});
	router.register("spawn-run", dispatch.spawn);
	router.register("query-run", dispatch.query);
	router.register("authorize-call", (run, call) =>
		permissions.authorize(run, profiles.definition(run.spec.agentType).readOnly ?? false, call),
	);
	router.register("call-host-tool", hostTools.call);
	router.register("send-envelope", (run, envelope) => mail.send(run, envelope));
	router.register("run-hooks", hooks.run);
	router.register("ask-user", (run, question) => askPerson(options.askUser, supervisor, run, question));

	return createFacade({
		supervisor,
		board,
		budget,
		bus,
		store,
		mail,
		notes,
		profiles,
		permissions,
		options,
		sessionId,
		interrupted,
		withheld: project.withheld,
		defaultModel,
		emptyHistory: (conversation) => journal.empty(conversation),
		close: (why) =>
			shutDown(
				[
					["runs", () => supervisor.close(why)],
					["pool", () => pool.close()],
					["gateway", () => gateway.close()],
					["bus", () => bus.close()],
					["transcripts", () => journal.closeAll()],
					["session", () => store.sessions.end(sessionId)],
					["store", () => store.close()],
					["exit guard", async () => unguardExit()],
				],
				(step, thrown) => onWarning(`Closing the ${step} failed: ${messageOf(thrown)}`),
			),
	});
}
