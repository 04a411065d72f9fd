// `/hooks`: which of the person's commands run when.

import type { Supervisor } from "../../runtime/supervisor.ts";
import { oneLine } from "../terminal/plain-text.ts";

const COMMAND_CHARS = 100;

export function formatHooks(hooks: ReturnType<Supervisor["hooks"]>): string[] {
	if (hooks.length === 0)
		return ["No hooks. They are written under hooks in .claude/settings.json or .clowder/settings.json."];
	const lines: string[] = [];
	for (const event of new Set(hooks.map((hook) => hook.event))) {
		lines.push(`${event}:`);
		for (const { matcher, command, source, agentType } of hooks.filter((hook) => hook.event === event)) {
			const whom = agentType === undefined ? "" : `, agent ${agentType} only`;
			lines.push(`  ${matcher === "" ? "*" : matcher}  ${oneLine(command, COMMAND_CHARS)}  (${source}${whom})`);
		}
	}
	return lines;
}
