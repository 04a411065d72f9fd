// What a bare deny rule (`Bash`, `mcp__server`) takes out of the list of tools that the model is shown.

import type { Rule } from "./rule.ts";
import { coversTool } from "./selector.ts";
import { ownToolName } from "./tool-names.ts";

/** The tools of `toolNames` that no call could use, because a bare rule denies them all. */
export function toolsDenied(rules: readonly Rule[], toolNames: readonly string[]): string[] {
	const bare = rules.filter((rule) => rule.kind === "deny" && rule.spec.type === "any");
	return toolNames.filter((name) => bare.some((rule) => coversTool(rule, ownToolName(name))));
}
