import { matchesText } from "./holed-text.ts";
import type { Rule } from "./rule.ts";

/** Whether the rule is about this tool (our own name), whatever the call looks like. */
export function coversTool(rule: Rule, toolName: string): boolean {
	const { tools } = rule;
	return tools.type === "names" ? tools.names.includes(toolName) : matchesText(tools.pattern, toolName);
}
