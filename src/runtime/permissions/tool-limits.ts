// What an agent type's own tool list forbids: `Bash(git *)` in `tools` leaves bash to git alone, and a rule in
// `disallowedTools` forbids single calls. Judged before the session's rules, which cannot widen it.

import { toOwnToolName } from "../../lib/tool-aliases.ts";
import type { ApprovalStore } from "../../permissions/approvals.ts";
import type { PermissionCall } from "../../permissions/call.ts";
import { createPermissionEngine, type PermissionEngine } from "../../permissions/engine.ts";
import { parseRules } from "../../permissions/rules/parse-rule.ts";
import { coversTool } from "../../permissions/rules/selector.ts";
import type { AgentProfile } from "../agents/profiles.ts";

export interface ToolLimits {
	/** Why the agent type may not make this call; undefined when its tool list has nothing against it. */
	refusalOf(restrictions: AgentProfile["restrictions"], call: PermissionCall): string | undefined;
}

interface Judge {
	readonly engine: PermissionEngine;
	/** Whether calls of a tool are limited to some. */
	isLimited(toolName: string): boolean;
}

export function createToolLimits(parts: { readonly cwd: string; readonly homeDir: string }): ToolLimits {
	const judges = new WeakMap<AgentProfile["restrictions"], Judge>();

	function judgeOf(restrictions: AgentProfile["restrictions"]): Judge {
		const known = judges.get(restrictions);
		if (known) return known;
		const source = { scope: "flag", label: "the agent type's tools", root: parts.cwd } as const;
		const { rules } = parseRules({ allow: restrictions.restrictions, deny: restrictions.deny }, source);
		const judge: Judge = {
			// What its list does not name it may not do, however harmless.
			engine: createPermissionEngine({
				...{ ...parts, rules, mode: "dontAsk", approvals: NO_APPROVALS, ownStateTools: [], looksFreely: false },
			}),
			isLimited: (toolName) => rules.some((rule) => rule.kind === "allow" && coversTool(rule, toOwnToolName(toolName))),
		};
		judges.set(restrictions, judge);
		return judge;
	}

	return {
		refusalOf: (restrictions, call) => {
			if (restrictions.restrictions.length === 0 && restrictions.deny.length === 0) return undefined;
			const { engine, isLimited } = judgeOf(restrictions);
			const limited = isLimited(call.toolName);
			// A tool the list says nothing special about is decided by its deny rules alone.
			const plain = { ...call, mode: undefined, hookDecision: undefined, alsoAllow: undefined };
			const decision = engine.decide({ ...plain, toolReadOnly: !limited });
			if (decision.decision === "allow") return undefined;
			if (!limited && decision.decision === "deny" && decision.rule === undefined) return undefined;
			const only = limited ? `; it may use ${restrictions.restrictions.join(", ")}` : "";
			return `Permission denied: the agent type ${call.agent.type} may not make this call${only}`;
		},
	};
}

const NO_APPROVALS: ApprovalStore = { add: () => {}, rules: () => [], list: () => [], clear: () => {} };
