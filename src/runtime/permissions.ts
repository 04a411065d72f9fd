// The one permission engine of a supervisor, for all its agents: rules from the options, a queue of questions to a
// person where there is one, and the record of what was denied.

import { join } from "node:path";
import { createApprovalStore } from "../permissions/approvals.ts";
import type { PermissionCall } from "../permissions/call.ts";
import { createPermissionEngine } from "../permissions/engine.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { PermissionDenial, PermissionPrompt } from "../permissions/prompt.ts";
import { createPermissionQueue, type PermissionQueue } from "../permissions/queue.ts";
import { parseRules } from "../permissions/rules/parse-rule.ts";
import type { Rule } from "../permissions/rules/rule.ts";
import { toolsDenied } from "../permissions/rules/tools-denied.ts";
import { createSettingsWriter } from "../permissions/settings-writer.ts";
import type { LiveRun } from "../supervision/live-run.ts";
import type { AuthorizeResult, RequestParams } from "../wire/requests.ts";
import type { ResolvedOptions } from "./options.ts";
import type { AgentProfile } from "./profiles.ts";
import type { Project } from "./project.ts";
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
	/** Those of these tools about which no agent has to ask. */
	freeTools(tools: readonly { readonly name: string; readonly readOnly: boolean }[]): readonly string[];
	/** The mode in force. */
	readonly mode: PermissionMode;
	denials(): readonly PermissionDenial[];
	/** Nobody may be asked for this run any longer. */
	withdraw(runId: string): void;
	/** Forgets what a person answered for this conversation. */
	forgetApprovals(): void;
}

export interface PermissionsParts {
	readonly options: ResolvedOptions;
	readonly project: Pick<Project, "rules" | "mode">;
	readonly additionalDirectories: readonly string[];
	/** Nobody may be asked for this run now. */
	isUnattended(runId: string): boolean;
	/** Stops a run's clocks while a person is asked; the result lets them go on. */
	pauseClocks(runId: string): () => void;
}

/** @throws ERR_PERMISSION_RULE for a rule that cannot be read */
export function createPermissions({
	options,
	project,
	additionalDirectories,
	isUnattended,
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
	const limits = createToolLimits({ cwd: options.cwd, homeDir: options.homeDir });
	const waiting = new Map<string, () => void>();
	const queue = createPermissionQueue({
		engine,
		approvals,
		clock: options.clock,
		persistAlways: createSettingsWriter(settingsFile),
		onWait: (runId, isWaiting) => {
			if (isWaiting) waiting.set(runId, pauseClocks(runId));
			else {
				waiting.get(runId)?.();
				waiting.delete(runId);
			}
		},
		...promptHandler(options, () => queue),
	});
	return {
		deniedTools: (toolNames) => toolsDenied(rules, toolNames),
		authorize: async (run, profile, call, signal) => {
			const { definition, restrictions } = profile;
			const asked: PermissionCall = {
				agent: {
					runId: run.spec.id,
					name: run.spec.name,
					type: run.spec.agentType,
					readOnly: definition.readOnly ?? false,
				},
				toolUseId: call.toolUseId,
				toolName: call.toolName,
				input: call.input,
				toolReadOnly: call.readOnly,
				hookDecision: call.hookDecision,
				cwd: options.cwd,
				unattended: isUnattended(run.spec.id),
				mode: definition.permissionMode,
			};
			const refused = limits.refusalOf(restrictions, asked);
			if (refused !== undefined) return { decision: "deny", message: refused };
			return queue.request(asked, signal);
		},
		freeTools: (tools) => tools.filter((tool) => engine.allowsAlways(tool.name, tool.readOnly)).map(({ name }) => name),
		get mode() {
			return engine.mode;
		},
		denials: () => queue.denials(),
		withdraw: (runId) => queue.withdraw(runId),
		forgetApprovals: () => {
			approvals.clear();
			queue.recheck();
		},
	};
}

function readRules(options: ResolvedOptions, project: Pick<Project, "rules">): readonly Rule[] {
	const { allow = [], ask = [], deny = [] } = options.permissions;
	const { rules, errors } = parseRules(
		{ allow, ask, deny },
		{ scope: "flag", label: "the options", root: options.cwd },
	);
	const first = errors[0];
	if (first) throw first;
	const fromFiles = project.rules.map(({ source, lists }) => parseRules(lists, source));
	// A rule of a file that cannot be read is told and left out; the rest of the file counts.
	for (const error of fromFiles.flatMap((file) => file.errors)) options.onWarning(error.message);
	return [...rules, ...fromFiles.flatMap((file) => file.rules)];
}

/** Shows each prompt to the program's own handler, and hands its answer to the queue. */
function promptHandler(options: ResolvedOptions, queue: () => PermissionQueue) {
	const { onRequest } = options.permissions;
	if (!onRequest) return {};
	const shown = new Map<string, AbortController>();
	return {
		onPrompt: (prompt: PermissionPrompt) => {
			const gone = new AbortController();
			shown.set(prompt.requestId, gone);
			onRequest(prompt, gone.signal)
				.catch((thrown: unknown) => ({ deny: true as const, message: `nobody could be asked: ${String(thrown)}` }))
				.then((answer) => queue().answer(prompt.requestId, answer))
				.then(
					({ warning }) => void (warning && options.onWarning(warning)),
					(thrown: unknown) => options.onWarning(`An answer was lost: ${String(thrown)}`),
				);
		},
		onPromptEnd: (requestId: string) => {
			shown.get(requestId)?.abort();
			shown.delete(requestId);
		},
	};
}
