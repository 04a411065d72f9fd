import { matchesText } from "./holed-text.ts";
import type { Rule } from "./rule.ts";
import { FILE_READERS } from "./tool-names.ts";

/** Whether the rule is about this tool (our own name), whatever the call looks like. */
export function coversTool(rule: Rule, toolName: string): boolean {
	const { tools } = rule;
	return tools.type === "names" ? tools.names.includes(toolName) : matchesText(tools.pattern, toolName);
}

/** Whether the rule is a Read rule: those stop edits too. */
export function isReadRule(rule: Rule): boolean {
	return rule.tools.type === "names" && rule.tools.names === FILE_READERS;
}
