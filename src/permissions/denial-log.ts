// The calls that did not run, for the final report. Bounded: an agent may ask the same thing for hours.

import { toOwnToolName } from "../lib/tool-aliases.ts";
import type { PermissionCall } from "./call.ts";
import type { PermissionDenial } from "./prompt.ts";

const MAX_DENIALS = 1_000;

export interface DenialLog {
	add(call: PermissionCall, reason: PermissionDenial["reason"], message: string): void;
	/** Oldest first. */
	list(): readonly PermissionDenial[];
}

export function createDenialLog(): DenialLog {
	const denials: PermissionDenial[] = [];
	return {
		add(call, reason, message) {
			if (denials.length >= MAX_DENIALS) denials.shift();
			denials.push({
				tool_name: toOwnToolName(call.toolName),
				tool_use_id: call.toolUseId,
				tool_input: call.input,
				agent: call.agent.name,
				reason,
				message,
			});
		},
		list: () => [...denials],
	};
}
