// An engine with rules as a settings file would bring them, and calls as an agent would make them.

import { type ApprovalStore, createApprovalStore } from "../../src/permissions/approvals.ts";
import type { Decision, PermissionCall } from "../../src/permissions/call.ts";
import { createPermissionEngine, type PermissionEngine } from "../../src/permissions/engine.ts";
import type { PermissionMode } from "../../src/permissions/modes.ts";
import { parseRules, type RuleLists } from "../../src/permissions/rules/parse-rule.ts";
import type { RuleSource } from "../../src/permissions/rules/rule.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

export const CWD = "/work/project";
export const HOME = "/home/ada";
export const SOURCE: RuleSource = { scope: "project", label: ".claude/settings.json", root: CWD };

export interface Setup extends RuleLists {
	readonly mode?: PermissionMode;
	readonly cwd?: string;
	readonly homeDir?: string;
	readonly root?: string;
	readonly additionalDirectories?: readonly string[];
	readonly ignoreCase?: boolean;
}

export function buildEngine(setup: Setup = {}): { engine: PermissionEngine; approvals: ApprovalStore } {
	const cwd = setup.cwd ?? CWD;
	const { rules, errors } = parseRules(setup, { ...SOURCE, root: setup.root ?? cwd });
	if (errors.length > 0) throw errors[0];
	const clock = createFakeClock();
	const approvals = createApprovalStore({ clock, root: cwd, settingsFile: ".clowder/settings.local.json" });
	const engine = createPermissionEngine({
		rules,
		mode: setup.mode ?? "default",
		cwd,
		homeDir: setup.homeDir ?? HOME,
		approvals,
		ignoreCase: setup.ignoreCase ?? false,
		...(setup.additionalDirectories ? { additionalDirectories: setup.additionalDirectories } : {}),
	});
	return { engine, approvals };
}

export function callOf(toolName: string, input: unknown, more: Partial<PermissionCall> = {}): PermissionCall {
	return {
		agent: { runId: "task_1", name: "lead", type: "general", readOnly: false },
		toolUseId: "toolu_1",
		toolName,
		input,
		toolReadOnly: ["read_file", "grep", "glob", "query_task"].includes(toolName),
		cwd: CWD,
		...more,
	};
}

export function decideBash(setup: Setup, command: string, more: Partial<PermissionCall> = {}): Decision {
	const { engine } = buildEngine(setup);
	return engine.decide(callOf("bash", { command }, { cwd: setup.cwd ?? CWD, ...more }));
}

export const EXPLORER = { runId: "task_2", name: "look around", type: "explore", readOnly: true } as const;
