// What a program gives to createSupervisor, checked once; the rest of the runtime gets values that are whole.

import { homedir } from "node:os";
import { resolve } from "node:path";
import type { AgentDefinition } from "../../config/agent-definition.ts";
import { ClowderError, messageOf } from "../../errors.ts";
import { callGuarded } from "../../lib/call-guarded.ts";
import type { Clock } from "../../lib/clock.ts";
import { systemClock } from "../../lib/clock.ts";
import type { BudgetCaps } from "../../supervision/budget-ledger.ts";
import type { AutonomousConfig } from "../../teams/autonomy/autonomous-config.ts";
import type { TeamOptions } from "../../teams/team-parts.ts";
import { DEFAULT_MAX_THREADS } from "../../thread/limits.ts";
import type { Tool } from "../../tools/definition.ts";
import type { ModelConfig } from "../../wire/model-config.ts";
import type { RunLimits } from "../../wire/run.ts";
import type { ProjectOptions } from "../project.ts";
import type { Environment } from "./environment.ts";
import { checkFolder, checkModule, currentFolder } from "./given-paths.ts";
import type { PermissionOptions } from "./permission-options.ts";
import { type SplitTools, splitTools, type ToolModule } from "./split-tools.ts";
import { checkOptions } from "./supervisor-input.ts";

/** A question of an agent to a person. */
export interface UserQuestion {
	readonly question: string;
	/** Answers to choose from; free text is always possible. */
	readonly options?: readonly string[];
	readonly agent: { readonly runId: string; readonly name: string; readonly type: string };
}

export interface SupervisorOptions {
	/** The agents' working folder. @default process.cwd() */
	readonly cwd?: string;
	/** A model id or alias (`sonnet`, `opus`, `haiku`), `offline`, or a whole configuration. @default ANTHROPIC_MODEL, else the default Claude model */
	readonly model?: string | ModelConfig;
	/** Used while the model is overloaded or limited. */
	readonly fallbackModel?: string;
	/** Subagents RUNNING at once. @default 8 */
	readonly maxConcurrent?: number;
	/** Subagents PENDING beyond that; 0 refuses them. @default 1000 */
	readonly maxQueued?: number;
	/** Agent threads at once, waiting parents included. @default 64, or maxConcurrent when that is more */
	readonly maxThreads?: number;
	/** Subagent threads kept warm. @default 2, at most maxConcurrent; none with tool modules, whose runs get new threads */
	readonly warmThreads?: number;
	/** Levels of subagents below the lead, 0 to 3. @default 1 */
	readonly maxDepth?: number;
	/** Subagents that one agent tree may start in all. @default 100 */
	readonly maxDescendants?: number;
	/** Caps of each run; a run's own win. */
	readonly limits?: RunLimits;
	/** Caps of all agents together. */
	readonly budget?: BudgetCaps;
	/** Agent types besides explore, plan, code and general; one of the same name takes the place of a built-in. */
	readonly agents?: readonly (Omit<AgentDefinition, "source"> & Partial<Pick<AgentDefinition, "source">>)[];
	/**
	 * Tools besides the built-in ones. A tool object runs **on the main thread**, by call-back: its `execute` shares
	 * your event loop. A `{ module }` is loaded **inside each agent's thread**: blocking, crashing or leaking there ends
	 * that agent's run and nothing else.
	 */
	readonly tools?: readonly (Tool | ToolModule)[];
	/**
	 * Of the tools that come with Clowder no agent has any but these; Claude Code's names count, too. @default all of them
	 */
	readonly builtinTools?: readonly string[];
	readonly permissions?: PermissionOptions;
	/**
	 * Reads the files people already have (settings, agent files, CLAUDE.md, .env) from `cwd`, the folders above it and
	 * the home folder. @default nothing is read
	 */
	readonly project?: ProjectOptions;
	/** Sends a log event per tool call. @default false */
	readonly verbose?: boolean;
	/**
	 * Asks a person what an agent wants to know (`ask_user`). Absent = nobody can answer, and no agent has the tool.
	 *
	 * **Contract**: anything but a text, and whatever it throws, is told to the agent as no answer, and to `onWarning`.
	 * **Cancellation**: `signal` aborts when the agent no longer waits.
	 */
	readonly askUser?: (question: UserQuestion, signal: AbortSignal) => Promise<string>;
	/** Text added to every system prompt. */
	readonly appendSystemPrompt?: string;
	/** Folder of runs, transcripts and outputs. @default ~/.clowder/projects/<project> */
	readonly stateDir?: string;
	/** Where credentials, proxies and the agents' environment are taken from. @default process.env */
	readonly env?: Environment;
	/** Folders besides `cwd` that agents may touch. */
	readonly additionalDirectories?: readonly string[];
	/**
	 * Absolute path or file URL of a folder with the thread entries: a copy of this package's `dist/workers`. For
	 * programs that are bundled together with Clowder. @default `workers` beside the bundle, which in CommonJS must be named
	 */
	readonly workerUrl?: URL | string;
	/** Hears of trouble that concerns no single run. @default process.emitWarning */
	readonly onWarning?: (text: string) => void;
	/** Id of the new session. @default a generated one */
	readonly sessionId?: string;
	/**
	 * Goes on with a former session of this state folder: its id, or `latest` for the one last active in `cwd`. Its
	 * conversation, todo list, records and what was not delivered come back; nothing that was cut off is run again.
	 */
	readonly resume?: string;
	/** With `resume`: goes on under a new id with a copy of the conversation. @default false */
	readonly forkSession?: boolean;
	/**
	 * Fires the schedules of the project that come due, at the first lead, when it is idle. Otherwise they can be made
	 * and are fired by another session. @default true
	 */
	readonly runSchedules?: boolean;
	/** Teammates: how many, whether lost ones are started again, how ready tasks are handed to idle ones. */
	readonly team?: TeamOptions & Partial<AutonomousConfig>;
	readonly clock?: Clock;
}

export interface ResolvedOptions {
	readonly cwd: string;
	readonly homeDir: string;
	readonly model: string | ModelConfig | undefined;
	readonly fallbackModel: string | undefined;
	readonly maxConcurrent: number;
	readonly maxQueued: number;
	readonly maxThreads: number;
	readonly warmThreads: number;
	readonly maxDepth: number;
	readonly maxDescendants: number;
	readonly limits: RunLimits;
	readonly budget: BudgetCaps;
	readonly agents: readonly AgentDefinition[];
	readonly tools: readonly (Tool | ToolModule)[];
	readonly mainTools: SplitTools["mainTools"];
	readonly modules: SplitTools["modules"];
	readonly builtinTools: readonly string[] | undefined;
	readonly permissions: PermissionOptions;
	readonly verbose: boolean;
	readonly askUser: SupervisorOptions["askUser"];
	readonly appendSystemPrompt: string | undefined;
	readonly stateDir: string | undefined;
	readonly env: Environment;
	readonly additionalDirectories: readonly string[];
	readonly workerUrl: URL | string | undefined;
	readonly sessionId: string | undefined;
	readonly resume: string | undefined;
	readonly forkSession: boolean;
	readonly runSchedules: boolean;
	readonly team: TeamOptions & Partial<AutonomousConfig>;
	readonly clock: Clock;
	onWarning(text: string): void;
}

function checkSession({ sessionId, resume, forkSession }: SupervisorOptions): void {
	if (forkSession && resume === undefined) {
		throw new ClowderError("ERR_BAD_OPTION", "forkSession needs a session to copy", { remedy: "Name it in resume" });
	}
	if (sessionId !== undefined && resume !== undefined && !forkSession) {
		throw new ClowderError("ERR_BAD_OPTION", "sessionId names a new session, and resume goes on with a former one", {
			remedy: "Give one of them, or forkSession as well",
		});
	}
}

/** A script is loaded in the gateway's thread: here it is only looked for. */
async function checkScriptModule(model: SupervisorOptions["model"]): Promise<SupervisorOptions["model"]> {
	if (typeof model !== "object" || model.provider !== "scripted" || model.module === undefined) return model;
	return { ...model, module: await checkModule("script module", model.module) };
}

const emitWarning = (text: string) => process.emitWarning(text, "ClowderWarning");

/** Warnings are told from everywhere: a program's handler that fails must not fail what told it. */
function guardWarnings(onWarning: SupervisorOptions["onWarning"]): (text: string) => void {
	if (!onWarning) return emitWarning;
	return (text) =>
		callGuarded(
			() => onWarning(text),
			(thrown) => emitWarning(`onWarning failed: ${messageOf(thrown)}. It was told: ${text}`),
		);
}

/** @throws ERR_BAD_OPTION, ERR_FILE */
export async function resolveOptions(options: SupervisorOptions): Promise<ResolvedOptions> {
	checkOptions(options);
	checkSession(options);
	const here = currentFolder();
	const env = options.env ?? process.env;
	const maxConcurrent = options.maxConcurrent ?? 8;
	const tools = options.tools ?? [];
	const maxThreads = options.maxThreads ?? Math.max(DEFAULT_MAX_THREADS, maxConcurrent);
	return {
		cwd: await checkFolder("working folder", options.cwd ?? here),
		homeDir: env.HOME ?? homedir(),
		model: await checkScriptModule(options.model),
		fallbackModel: options.fallbackModel,
		maxConcurrent: Math.min(maxConcurrent, maxThreads),
		maxQueued: options.maxQueued ?? 1_000,
		maxThreads,
		warmThreads: Math.min(options.warmThreads ?? 2, maxConcurrent),
		maxDepth: options.maxDepth ?? 1,
		maxDescendants: options.maxDescendants ?? 100,
		limits: options.limits ?? {},
		budget: options.budget ?? {},
		agents: (options.agents ?? []).map((agent) => ({ source: { kind: "host" as const }, ...agent })),
		tools,
		...(await splitTools(tools)),
		builtinTools: options.builtinTools,
		permissions: options.permissions ?? {},
		verbose: options.verbose ?? false,
		askUser: options.askUser,
		appendSystemPrompt: options.appendSystemPrompt,
		stateDir: options.stateDir === undefined ? undefined : resolve(options.stateDir),
		env,
		additionalDirectories: await Promise.all(
			(options.additionalDirectories ?? []).map((path) => checkFolder("additional folder", path)),
		),
		workerUrl: options.workerUrl,
		sessionId: options.sessionId,
		resume: options.resume,
		forkSession: options.forkSession ?? false,
		runSchedules: options.runSchedules ?? true,
		team: options.team ?? {},
		clock: options.clock ?? systemClock,
		onWarning: guardWarnings(options.onWarning),
	};
}
