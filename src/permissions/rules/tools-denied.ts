// What a bare deny rule (`Bash`, `mcp__server`) takes out of the list of tools that the model is shown.

import { toOwnToolName } from "../../lib/tool-aliases.ts";
import type { Rule } from "./rule.ts";
import { coversTool } from "./selector.ts";

/** The tools of `toolNames` that no call could use, because a bare rule denies them all. */
export function toolsDenied(rules: readonly Rule[], toolNames: readonly string[]): string[] {
	const bare = rules.filter((rule) => rule.kind === "deny" && rule.spec.type === "any");
	return toolNames.filter((name) => bare.some((rule) => coversTool(rule, toOwnToolName(name))));
}
