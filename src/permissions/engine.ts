// Decides whether a call may run, is refused, or needs a person's word. One engine for all agents, on the main
// thread; pure but for looking at symbolic links. Order: what may never be, deny rules, ask rules, allow rules,
// mode, category. The first that has something to say decides.

import { toOwnToolName } from "../lib/tool-aliases.ts";
import type { HiddenPaths } from "../wire/requests.ts";
import type { ApprovalStore } from "./approvals.ts";
import type { Decision, PermissionCall } from "./call.ts";
import { decideBash } from "./decide-bash.ts";
import { decideCall } from "./decide-call.ts";
import type { PermissionMode } from "./modes.ts";
import { diskFileSystem, type FileSystem } from "./paths/file-system.ts";
import type { PathContext } from "./paths/place.ts";
import { rememberingFileSystem } from "./paths/remembering.ts";
import { searchExclusions } from "./paths/search-exclusions.ts";
import { inCopy, type TreeCopy } from "./paths/tree-copy.ts";
import type { Rule } from "./rules/rule.ts";
import { coversTool } from "./rules/selector.ts";
import { OWN_STATE_TOOLS } from "./rules/tool-names.ts";
import type { Situation } from "./situation.ts";

export interface PermissionEngineOptions {
	readonly rules: readonly Rule[];
	/** @default "default" */
	readonly mode?: PermissionMode;
	/** The session's working folder, absolute. */
	readonly cwd: string;
	/** Folders besides the working folder in which acceptEdits lets edits through. */
	readonly additionalDirectories?: readonly string[];
	readonly homeDir: string;
	readonly approvals: ApprovalStore;
	/** Tools that only touch the program's own state and are never asked about. @default OWN_STATE_TOOLS */
	readonly ownStateTools?: readonly string[];
	/** Whether bash may look inside the workspace without a rule, as read-only tools may. @default true */
	readonly looksFreely?: boolean;
	readonly files?: FileSystem;
	/** Whether file names differ by more than case. @default by platform */
	readonly ignoreCase?: boolean;
}

export interface PermissionEngine {
	decide(call: PermissionCall): Decision;
	/**
	 * Whether every call of a tool that changes nothing is allowed under the rules in force, whatever its input: no
	 * deny and no ask rule is about it. An agent need not ask about such a tool, unless a hook wants it to.
	 */
	allowsAlways(toolName: string, readOnly: boolean): boolean;
	readonly mode: PermissionMode;
	/** Patterns for what a search that an agent of `cwd` starts in `folder` must leave out. */
	hiddenFrom(folder: string, cwd: string, copy?: TreeCopy): HiddenPaths;
	setMode(mode: PermissionMode): void;
	/** Rules in force, those from answers included. */
	rules(): readonly Rule[];
	/** Puts other rules in the place of those from files and flags. */
	setRules(rules: readonly Rule[]): void;
}

export function createPermissionEngine(options: PermissionEngineOptions): PermissionEngine {
	const { approvals, cwd, homeDir, additionalDirectories = [], files = diskFileSystem } = options;
	const ignoreCase = options.ignoreCase ?? (process.platform === "darwin" || process.platform === "win32");
	const ownStateTools = new Set(options.ownStateTools ?? OWN_STATE_TOOLS);
	let settled = options.rules;
	let mode = options.mode ?? "default";

	const contextOf = (agentCwd: string, copy: TreeCopy | undefined): PathContext => ({
		cwd: agentCwd,
		copy,
		sessionCwd: cwd,
		homeDir,
		files: rememberingFileSystem(files),
		ignoreCase,
	});

	function situationOf(call: PermissionCall): Situation {
		const toolName = toOwnToolName(call.toolName);
		const rules = [...settled, ...approvals.rules()];
		return {
			call,
			toolName,
			mode: call.mode ?? mode,
			deny: rules.filter((rule) => rule.kind === "deny"),
			ask: rules.filter((rule) => rule.kind === "ask"),
			allow: [...rules, ...(call.alsoAllow ?? [])].filter((rule) => rule.kind === "allow"),
			context: contextOf(call.cwd, call.copy),
			folders: [call.cwd, ...additionalDirectories],
			// Anybody's module may call a tool of its own `todo_write`.
			isOwnState: ownStateTools.has(toolName) && call.toolReadOnly !== "unknown",
			looksFreely: options.looksFreely ?? true,
			root: inCopy(cwd, call.copy) ?? cwd,
		};
	}

	return {
		decide(call) {
			const situation = situationOf(call);
			const decision = situation.toolName === "bash" ? decideBash(situation) : decideCall(situation);
			if (decision.decision !== "ask" || situation.mode !== "dontAsk") return decision;
			return {
				decision: "deny",
				message: `Permission denied: ${decision.message}, and this session never asks (dontAsk)`,
			};
		},
		allowsAlways(toolName, readOnly) {
			const name = toOwnToolName(toolName);
			if (!readOnly && !ownStateTools.has(name)) return false;
			return [...settled, ...approvals.rules()].every((rule) => rule.kind === "allow" || !coversTool(rule, name));
		},
		hiddenFrom: (folder, agentCwd, copy) => ({
			globs: searchExclusions([...settled, ...approvals.rules()], contextOf(agentCwd, copy), folder),
			ignoreCase,
		}),
		get mode() {
			return mode;
		},
		setMode(next) {
			mode = next;
		},
		rules: () => [...settled, ...approvals.rules()],
		setRules(next) {
			settled = next;
		},
	};
}
