// The person's hooks as a list, for whoever wants to know what runs when.

import type { AgentDefinition } from "../../config/agent-definition.ts";
import { HOOK_EVENTS, type HookEventName } from "../../hooks/events.ts";
import type { HooksConfig } from "../../hooks/hook-config.ts";

export interface HookListing {
	readonly event: HookEventName;
	/** Empty = all. */
	readonly matcher: string;
	readonly command: string;
	/** The file it is written in. */
	readonly source: string;
	/** Set for hooks of an agent type's own file. */
	readonly agentType?: string;
}

export function listHooks(hooks: HooksConfig, agentTypes: readonly AgentDefinition[]): HookListing[] {
	return [
		...flatten(hooks),
		...agentTypes.flatMap(({ name, hooks: own = {} }) => flatten(own).map((hook) => ({ ...hook, agentType: name }))),
	];
}

function flatten(config: HooksConfig): HookListing[] {
	return HOOK_EVENTS.flatMap((event) =>
		(config[event] ?? []).flatMap(({ matcher, hooks }) =>
			hooks.map(({ command, source }) => ({ event, matcher, command, source })),
		),
	);
}
