// Which hook a verdict comes from, and how it is named to people.

import type { HookEventName } from "./events.ts";
import type { CommandHook } from "./hook-config.ts";

export interface HookFacts {
	readonly event: HookEventName;
	readonly hook: CommandHook;
	/** Our own name of the tool, for tool events. */
	readonly toolName: string;
	readonly timeoutMs: number;
}

/** `PreToolUse hook 'npm run lint' (/repo/.claude/settings.json)` */
export function describeHook({ event, hook }: Pick<HookFacts, "event" | "hook">): string {
	const command = hook.command.replace(/\s+/g, " ").trim();
	return `${event} hook '${command.length > 80 ? `${command.slice(0, 79)}…` : command}' (${hook.source})`;
}
