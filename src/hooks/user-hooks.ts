// The hooks people write in settings files: commands that main starts for an event of any agent. All that match run
// in parallel, identical ones once, and what they say is added up. One instance serves all agents of a session.

import { access, stat } from "node:fs/promises";
import type { Clock } from "../lib/clock.ts";
import { withoutCredentials } from "../lib/provider-credentials.ts";
import type { ProcessRegistry } from "../tools/process-registry.ts";
import type { HooksResult } from "../wire/requests.ts";
import { HOOK_EVENTS, type HookEventName } from "./events.ts";
import type { CommandHook, HooksConfig } from "./hook-config.ts";
import { buildHookInput, type HookAgent, type HookPayload, type HookSession, matchedNames } from "./hook-input.ts";
import { compileMatcher, type HookMatcher, matcherFault } from "./hook-matcher.ts";
import { interpretHookEnd } from "./hook-output.ts";
import { mergeVerdicts } from "./hook-verdict.ts";
import { runCommandHook } from "./run-command-hook.ts";

export interface UserHooksOptions {
	readonly hooks: HooksConfig;
	/** Given to hooks as CLAUDE_PROJECT_DIR and CLOWDER_PROJECT_DIR, save where a hook's file names its own. */
	readonly projectDir: string;
	/** For the commands; provider credentials are taken out. */
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly session: HookSession;
	readonly clock: Clock;
	/** A line for the person: a hook failed, or has something to say to them. */
	readonly onWarning: (text: string) => void;
	/** Records the commands' process groups. @default no record */
	readonly processes?: ProcessRegistry;
	/** For hooks that name none, in ms. @default 60_000 */
	readonly timeoutMs?: number;
}

export interface UserHooks {
	/** Events that at least one hook listens to; for any other `run` answers `{}` at once. */
	readonly events: readonly HookEventName[];
	/**
	 * Runs what matches and adds up the answers.
	 *
	 * **Contract**: never rejects; a hook that fails, hangs or prints nonsense is a warning and counts for nothing.
	 * **Cancellation**: ends the commands' process groups and answers `{}`.
	 */
	run(event: string, payload: HookPayload, agent: HookAgent, signal: AbortSignal): Promise<HooksResult>;
}

const NO_RECORD: ProcessRegistry = { marker: {}, add: () => {}, remove: () => {} };

export function createUserHooks(options: UserHooksOptions): UserHooks {
	const env = withoutCredentials(options.env);
	const processes = options.processes ?? NO_RECORD;
	const compiled = compileAll(options.hooks, options.onWarning);
	let shell: Promise<Shell> | undefined;

	async function runOne(event: HookEventName, hook: CommandHook, input: string, cwd: string, signal: AbortSignal) {
		const projectDir = hook.projectDir ?? options.projectDir;
		const timeoutMs = hook.timeoutMs ?? options.timeoutMs ?? 60_000;
		shell ??= findShell();
		const { file, options: shellOptions } = await shell;
		const end = await runCommandHook({
			file,
			args: [...shellOptions, "-c", hook.command],
			cwd: (await isFolder(cwd)) ? cwd : projectDir,
			env: { ...env, CLAUDE_PROJECT_DIR: projectDir, CLOWDER_PROJECT_DIR: projectDir },
			input,
			timeoutMs,
			clock: options.clock,
			processes,
			signal,
		});
		return { end, hook, event, timeoutMs };
	}

	return {
		events: HOOK_EVENTS.filter((event) => compiled.has(event)),
		async run(name, payload, agent, signal) {
			const event = HOOK_EVENTS.find((known) => known === name);
			const hooks = event === undefined ? [] : select(compiled.get(event) ?? [], matchedNames(event, payload));
			if (event === undefined || hooks.length === 0) return {};
			const input = toJson(buildHookInput(event, payload, agent, options.session));
			// A guard that cannot be asked has not said yes.
			if (input === undefined) return { blocked: `The ${event} hooks cannot be asked: the event is no plain data` };
			const ends = await Promise.all(hooks.map((hook) => runOne(event, hook, input, agent.cwd, signal)));
			if (signal.aborted) return {};
			const toolName = String(payload.toolName);
			const verdicts = ends.map(({ end, ...facts }) => interpretHookEnd(end, { ...facts, toolName }));
			for (const verdict of verdicts) for (const warning of verdict.warnings ?? []) options.onWarning(warning);
			return mergeVerdicts(verdicts);
		},
	};
}

interface CompiledGroup {
	readonly matches: HookMatcher;
	readonly hooks: readonly CommandHook[];
}

function compileAll(config: HooksConfig, onWarning: (text: string) => void): Map<HookEventName, CompiledGroup[]> {
	const compiled = new Map<HookEventName, CompiledGroup[]>();
	for (const event of HOOK_EVENTS) {
		for (const { matcher, hooks } of config[event] ?? []) {
			const fault = matcherFault(matcher);
			if (fault !== undefined) onWarning(`The matcher '${matcher}' of a ${event} hook ${fault}; the hook never runs`);
			else if (hooks.length > 0) {
				compiled.set(event, [...(compiled.get(event) ?? []), { matches: compileMatcher(matcher), hooks }]);
			}
		}
	}
	return compiled;
}

function select(groups: readonly CompiledGroup[], names: readonly string[] | undefined): CommandHook[] {
	const chosen = new Map<string, CommandHook>();
	for (const group of groups) {
		if (names !== undefined && !group.matches(names)) continue;
		for (const hook of group.hooks) {
			const identity = `${hook.projectDir ?? ""}\n${hook.command}`;
			if (!chosen.has(identity)) chosen.set(identity, hook);
		}
	}
	return [...chosen.values()];
}

// The payload comes from an agent's thread, where any tool may have put anything into it.
function toJson(input: Readonly<Record<string, unknown>>): string | undefined {
	try {
		return JSON.stringify(input);
	} catch {
		return undefined;
	}
}

interface Shell {
	readonly file: string;
	readonly options: readonly string[];
}

// People write their hooks for bash; a system without it has at least sh.
// Upstream: bash takes a socket on stdin, which is what Node's pipes are, for a remote login and would read ~/.bashrc.
async function findShell(): Promise<Shell> {
	return access("/bin/bash").then(
		() => ({ file: "/bin/bash", options: ["--norc"] }),
		() => ({ file: "/bin/sh", options: [] }),
	);
}

// An agent's worktree may be gone by the time its last hook runs.
async function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}
