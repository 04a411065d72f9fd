// The one permission engine of a supervisor, for all its agents: rules from the options, a queue of questions to a
// person where there is one, and the record of what was denied.

import { join } from "node:path";
import { createApprovalStore } from "../../permissions/approvals.ts";
import type { PermissionCall } from "../../permissions/call.ts";
import { createPermissionEngine } from "../../permissions/engine.ts";
import { modeFor, type PermissionMode, parsePermissionMode } from "../../permissions/modes.ts";
import type { PermissionDenial, PermissionPrompt } from "../../permissions/prompt.ts";
import { createPermissionQueue } from "../../permissions/queue.ts";
import type { Rule, RuleKind } from "../../permissions/rules/rule.ts";
import { toolsDenied } from "../../permissions/rules/tools-denied.ts";
import type { LiveRun } from "../../supervision/live-run.ts";
import type { FreeTools } from "../../wire/control.ts";
import type { AuthorizeResult, HiddenPaths, RequestParams } from "../../wire/requests.ts";
import type { RunFolder } from "../agents/isolation.ts";
import type { AgentProfile } from "../agents/profiles.ts";
import type { ResolvedOptions } from "../options/options.ts";
import type { Project } from "../project.ts";
import { createAnswerWriter } from "./answer-writer.ts";
import { askProgram } from "./ask-program.ts";
import { readRules } from "./read-rules.ts";
import { createSessionRules } from "./session-rules.ts";
import { createToolLimits } from "./tool-limits.ts";

export interface Permissions {
	/** Those of these tools that no agent is told of, because a rule denies every call of them. */
	deniedTools(toolNames: readonly string[]): readonly string[];
	authorize(
		run: LiveRun,
		profile: AgentProfile,
		call: RequestParams<"authorize-call">,
		signal: AbortSignal,
	): Promise<AuthorizeResult>;
	/** The same for what main does in the run's name, because a person typed so; `alsoAllow` holds for this call alone. */
	authorizeTyped(run: LiveRun, profile: AgentProfile, call: TypedCall, signal: AbortSignal): Promise<AuthorizeResult>;
	/** The tools about which an agent of this type has to ask nobody, under the rules in force now. */
	freeTools(profile: AgentProfile): FreeTools;
	/** What a search that the run starts in `folder` must leave out. */
	hiddenFrom(run: LiveRun, folder: string): HiddenPaths;
	/** The mode in force. */
	readonly mode: PermissionMode;
	/** @throws ERR_BAD_OPTION */
	setMode(mode: PermissionMode): void;
	/** Every rule in force, those from answers included. */
	rules(): readonly Rule[];
	/**
	 * Puts one more rule in force, for this session, or written to the settings as well.
	 *
	 * @throws ERR_PERMISSION_RULE, ERR_FILE (it is in force, but not written)
	 */
	addRule(kind: RuleKind, text: string, options?: { readonly save?: boolean }): Promise<void>;
	/** Takes a rule back that was added in this session; false when there is none like it. */
	removeRule(text: string): boolean;
	denials(): readonly PermissionDenial[];
	/** Nobody may be asked for this run any longer. */
	withdraw(runId: string): void;
	/** Forgets what a person answered for this conversation. */
	forgetApprovals(): void;
}

/** A call that a prompt makes before any agent sees it. */
export type TypedCall = Pick<PermissionCall, "toolUseId" | "toolName" | "input" | "toolReadOnly" | "alsoAllow">;

export interface PermissionsParts {
	readonly options: ResolvedOptions;
	readonly project: Pick<Project, "rules" | "doubtful" | "mode">;
	readonly additionalDirectories: readonly string[];
	/** The project's own settings are read, so that answers written there count again. */
	readonly readsProject: boolean;
	/** Where a run works. */
	folderOf(run: LiveRun): RunFolder;
	/** False while the agent's plan is not approved. */
	mayChange(run: LiveRun): boolean;
	/** Nobody may be asked for this run now. */
	isUnattended(runId: string): boolean;
	/** A person is asked. */
	onAsked(prompt: PermissionPrompt): void;
	/** Stops a run's clocks while a person is asked; the result lets them go on. */
	pauseClocks(runId: string): () => void;
}

/** @throws ERR_PERMISSION_RULE, ERR_BAD_OPTION, ERR_FILE for a rule that cannot be read */
export function createPermissions({
	options,
	project,
	additionalDirectories,
	readsProject,
	folderOf,
	mayChange,
	isUnattended,
	onAsked,
	pauseClocks,
}: PermissionsParts): Permissions {
	const mode = options.permissions.mode ?? project.mode;
	const settingsFile = join(options.cwd, ".clowder", "settings.local.json");
	const approvals = createApprovalStore({ clock: options.clock, root: options.cwd, settingsFile });
	const rules = readRules(options, project);
	const engine = createPermissionEngine({
		rules,
		...(mode === undefined ? {} : { mode }),
		cwd: options.cwd,
		additionalDirectories,
		homeDir: options.homeDir,
		approvals,
	});
	const persist = createAnswerWriter(settingsFile, { ...options, readsProject });
	const session = createSessionRules({
		...{ root: options.cwd, settingsFile, persist },
		apply: (added) => engine.setRules([...rules, ...added]),
		onChange: () => queue.recheck(),
	});
	function whereOf(run: LiveRun): Pick<PermissionCall, "cwd" | "copy"> {
		const { cwd, worktree } = folderOf(run);
		return { cwd, copy: worktree };
	}

	const limits = createToolLimits({ cwd: options.cwd, homeDir: options.homeDir });
	const waiting = new Map<string, () => void>();
	const queue = createPermissionQueue({
		engine,
		approvals,
		clock: options.clock,
		persistAlways: persist,
		onWait: (runId, isWaiting) => {
			if (isWaiting) waiting.set(runId, pauseClocks(runId));
			else {
				waiting.get(runId)?.();
				waiting.delete(runId);
			}
		},
		...askProgram(options, () => queue, onAsked),
	});
	async function judge(
		run: LiveRun,
		{ definition, restrictions }: AgentProfile,
		call: TypedCall & Pick<PermissionCall, "hookDecision">,
		signal: AbortSignal,
	): Promise<AuthorizeResult> {
		const asked: PermissionCall = {
			...call,
			agent: {
				runId: run.spec.id,
				name: run.spec.name,
				type: run.spec.agentType,
				readOnly: definition.readOnly ?? false,
				planPending: !mayChange(run),
			},
			...whereOf(run),
			unattended: isUnattended(run.spec.id),
			mode: modeFor(engine.mode, definition.permissionMode),
		};
		const refused = limits.refusalOf(restrictions, asked);
		if (refused !== undefined) return { decision: "deny", message: refused };
		const answer = await queue.request(asked, signal);
		// Race: the gate may have been shut while a person was asked.
		const isShut = !asked.agent.planPending && !mayChange(run);
		if (answer.decision === "deny" || !isShut) return answer;
		return queue.request({ ...asked, agent: { ...asked.agent, planPending: true } }, signal);
	}

	return {
		deniedTools: (toolNames) => toolsDenied(rules, toolNames),
		authorize: (run, profile, { toolUseId, toolName, input, hookDecision }, signal) =>
			judge(
				run,
				profile,
				{ toolUseId, toolName, input, hookDecision, toolReadOnly: profile.readOnlyOf(toolName) },
				signal,
			),
		authorizeTyped: judge,
		freeTools: (profile) => ({
			names: unlimitedTools(profile).filter((name) => engine.allowsAlways(name, profile.readOnlyOf(name) === true)),
			version: session.version,
			counter: session.counter,
		}),
		hiddenFrom: (run, folder) => engine.hiddenFrom(folder, folderOf(run).cwd, folderOf(run).worktree),
		get mode() {
			return engine.mode;
		},
		setMode: (next) => {
			engine.setMode(parsePermissionMode(next));
			session.noteChange();
		},
		rules: () => engine.rules(),
		addRule: session.add,
		removeRule: session.remove,
		denials: () => queue.denials(),
		withdraw: (runId) => queue.withdraw(runId),
		forgetApprovals: () => {
			approvals.clear();
			session.noteChange();
		},
	};
}

/** A type whose list limits single calls asks about every call. */
function unlimitedTools({ restrictions, toolNames, declaredTools }: AgentProfile): readonly string[] {
	const limits = restrictions.restrictions.length + restrictions.deny.length;
	return limits === 0 ? [...toolNames, ...declaredTools] : [];
}
