// What people have said so far. "Once" leaves nothing behind, "conversation" holds until /clear, "always" is a
// rule like those of the settings files and stays.

import type { Clock } from "../lib/clock.ts";
import { parseRule } from "./rules/parse-rule.ts";
import type { Rule, RuleSource } from "./rules/rule.ts";

export type ApprovalScope = "once" | "conversation" | "always";

export interface Approval {
	readonly scope: ApprovalScope;
	/** Rule texts; empty for `once`. */
	readonly rules: readonly string[];
	/** The agent that had asked. */
	readonly agent: string;
	readonly toolName: string;
	/** Milliseconds since the Unix epoch. */
	readonly at: number;
}

export interface ApprovalStore {
	/** Remembers an answer. @throws ClowderError ERR_PERMISSION_RULE if a rule cannot be read. */
	add(approval: Omit<Approval, "at">): void;
	/** The allow rules in force because of answers. */
	rules(): readonly Rule[];
	/** Every answer since the last clear, oldest first. */
	list(): readonly Approval[];
	/** Forgets the conversation's answers (`/clear`); rules that were written to settings stay in force. */
	clear(): void;
}

export interface ApprovalStoreOptions {
	readonly clock: Clock;
	/** The project that patterns like `/src/a.ts` start at. */
	readonly root: string;
	/** The file that "always" writes to, for messages. */
	readonly settingsFile: string;
}

export function createApprovalStore({ clock, root, settingsFile }: ApprovalStoreOptions): ApprovalStore {
	const forConversation: RuleSource = { scope: "answer", label: "this conversation", root };
	const forAlways: RuleSource = { scope: "answer", label: settingsFile, root };
	let approvals: Approval[] = [];
	let conversation: Rule[] = [];
	const always: Rule[] = [];

	return {
		add(approval) {
			const isAlways = approval.scope === "always";
			const rules = approval.rules.map((text) => parseRule(text, "allow", isAlways ? forAlways : forConversation));
			if (isAlways) always.push(...rules);
			else if (approval.scope === "conversation") conversation.push(...rules);
			approvals.push({ ...approval, at: clock.now() });
		},
		rules: () => [...conversation, ...always],
		list: () => [...approvals],
		clear() {
			approvals = [];
			conversation = [];
		},
	};
}
