// Reads the `hooks` part of a settings or agent file into HooksConfig. Every entry that cannot be used is a fault
// of its own; the others still count.

import { HOOK_EVENTS, type HookEventName } from "../hooks/events.ts";
import type { CommandHook, HookGroup, HooksConfig } from "../hooks/hook-config.ts";
import { matcherFault } from "../hooks/hook-matcher.ts";
import { isRecord } from "../lib/is-record.ts";
import type { ConfigFault } from "./fault.ts";

export interface HooksReading {
	readonly hooks: HooksConfig;
	readonly faults: readonly ConfigFault[];
}

export interface HooksOrigin {
	/** The file, for faults and for messages when a hook runs. */
	readonly path: string;
	/** Line of the `hooks` key, where that is known. */
	readonly line?: number;
	/** The project the file belongs to. */
	readonly projectDir?: string;
}

/** Reads the value of a `hooks` key. */
export function readHooksSection(value: unknown, origin: HooksOrigin): HooksReading {
	const { path, line, projectDir } = origin;
	const source = { source: path, ...(projectDir === undefined ? {} : { projectDir }) };
	const faults: ConfigFault[] = [];
	const report = (place: string, problem: string) => {
		faults.push({ path, ...(line === undefined ? {} : { line }), reason: `${place} ${problem}` });
	};
	const hooks: { -readonly [Event in HookEventName]?: HookGroup[] } = {};
	if (value === undefined || value === null) return { hooks, faults };
	if (!isRecord(value)) {
		report("hooks", "must be an object with one list per event");
		return { hooks, faults };
	}
	for (const [event, groups] of Object.entries(value)) {
		const place = `hooks.${event}`;
		if (!isHookEvent(event)) report(place, `is ignored: there is no such event here. Known: ${HOOK_EVENTS.join(", ")}`);
		else if (!Array.isArray(groups)) report(place, "must be a list");
		else {
			const read = groups.map((group, index) => readGroup(group, `${place}[${index}]`, source, report));
			const usable = read.filter((group) => group !== undefined);
			if (usable.length > 0) hooks[event] = usable;
		}
	}
	return { hooks, faults };
}

/** Both together, `first` before `second`. */
export function joinHooks(first: HooksConfig, second: HooksConfig): HooksConfig {
	const joined: { -readonly [Event in HookEventName]?: readonly HookGroup[] } = { ...first };
	for (const event of HOOK_EVENTS) {
		const more = second[event];
		if (more) joined[event] = [...(joined[event] ?? []), ...more];
	}
	return joined;
}

type Source = Pick<CommandHook, "source" | "projectDir">;
type Report = (place: string, problem: string) => void;

function isHookEvent(name: string): name is HookEventName {
	return (HOOK_EVENTS as readonly string[]).includes(name);
}

function readGroup(group: unknown, place: string, source: Source, report: Report): HookGroup | undefined {
	if (!isRecord(group) || !Array.isArray(group.hooks)) {
		report(place, 'must be an object with a list "hooks"');
		return undefined;
	}
	const matcher = group.matcher ?? "";
	if (typeof matcher !== "string") {
		report(`${place}.matcher`, "must be text");
		return undefined;
	}
	const fault = matcherFault(matcher);
	if (fault !== undefined) {
		report(`${place}.matcher`, fault);
		return undefined;
	}
	const hooks = group.hooks.map((hook, index) => readCommand(hook, `${place}.hooks[${index}]`, source, report));
	return { matcher, hooks: hooks.filter((hook) => hook !== undefined) };
}

function readCommand(hook: unknown, place: string, source: Source, report: Report): CommandHook | undefined {
	if (!isRecord(hook)) {
		report(place, "must be an object");
		return undefined;
	}
	if (hook.type !== undefined && hook.type !== "command") {
		report(place, `has the type ${JSON.stringify(hook.type)}; only "command" is supported`);
		return undefined;
	}
	const command = hook.command;
	if (typeof command !== "string" || command.trim() === "") {
		report(`${place}.command`, "must be a shell command");
		return undefined;
	}
	const timeout = hook.timeout;
	if (timeout === undefined) return { command, ...source };
	if (typeof timeout !== "number" || !(timeout > 0)) {
		report(`${place}.timeout`, "must be a number of seconds above 0; the default is used");
		return { command, ...source };
	}
	return { command, timeoutMs: Math.round(timeout * 1000), ...source };
}
