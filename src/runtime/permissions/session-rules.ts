// The rules that change while a session runs: what a person adds and takes back, and the version in shared memory that
// tells agents when what they hold is old.

import { parseRule } from "../../permissions/rules/parse-rule.ts";
import type { Rule, RuleKind, RuleSource } from "../../permissions/rules/rule.ts";
import type { WriteAlwaysRules } from "../../permissions/settings-writer.ts";

export interface SessionRules {
	/** One Int32, counted up with every change. */
	readonly counter: SharedArrayBuffer;
	readonly version: number;
	/** The rules or the mode are others now. */
	noteChange(): void;
	/** @throws ERR_PERMISSION_RULE, ERR_FILE (it is in force, but not written) */
	add(kind: RuleKind, text: string, options?: { readonly save?: boolean }): Promise<void>;
	/** Takes back one that is not written anywhere; false when there is none like it. */
	remove(text: string): boolean;
}

export interface SessionRulesParts {
	/** Where patterns like `/src` start. */
	readonly root: string;
	readonly settingsFile: string;
	readonly persist: WriteAlwaysRules;
	/** Puts these in force, beside those from files and flags. */
	apply(added: readonly Rule[]): void;
	onChange(): void;
}

export function createSessionRules({ root, settingsFile, persist, apply, onChange }: SessionRulesParts): SessionRules {
	const counter = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
	const version = new Int32Array(counter);
	const forSession: RuleSource = { scope: "answer", label: "this session", root };
	const forAlways: RuleSource = { scope: "answer", label: settingsFile, root };
	const added: Rule[] = [];

	function noteChange(): void {
		Atomics.add(version, 0, 1);
		onChange();
	}

	function change(): void {
		apply(added);
		noteChange();
	}

	return {
		counter,
		get version() {
			return Atomics.load(version, 0);
		},
		noteChange,
		add: async (kind, text, { save = false } = {}) => {
			const rule = parseRule(text, kind, save ? forAlways : forSession);
			added.push(rule);
			change();
			if (save) await persist([rule.text], kind);
		},
		remove: (text) => {
			const at = added.findIndex((rule) => rule.text === text && rule.source === forSession);
			if (at < 0) return false;
			added.splice(at, 1);
			change();
			return true;
		},
	};
}
