// Reads the `permissions` part of a settings file. What a rule text means is for permissions/ to say; here only
// the shape is checked. Where a deny or ask rule may be lost, the fault says so.

import { isRecord } from "../lib/is-record.ts";
import { isPermissionMode, PERMISSION_MODES, type PermissionMode } from "../permissions/modes.ts";
import type { RuleLists } from "../permissions/rules/parse-rule.ts";
import type { ConfigFault } from "./fault.ts";
import { doubtfulRuleKeys } from "./lost-rules.ts";
import type { SettingsFile } from "./settings-files.ts";

export interface PermissionsReading {
	readonly lists: RuleLists;
	readonly defaultMode?: PermissionMode;
	/** As written. */
	readonly additionalDirectories: readonly string[];
}

export function readPermissions(
	value: unknown,
	{ path, scope }: Pick<SettingsFile, "path" | "scope">,
	faults: ConfigFault[],
): PermissionsReading {
	const mayLoseBans = scope === "flag" ? "flag" : "file";
	if (value === undefined || value === null) return { lists: {}, additionalDirectories: [] };
	if (!isRecord(value)) {
		faults.push({ path, reason: "permissions must be an object", mayLoseBans });
		return { lists: {}, additionalDirectories: [] };
	}
	for (const { reason, mayBan } of doubtfulRuleKeys(value)) {
		faults.push({ path, reason, ...(mayBan ? { mayLoseBans } : {}) });
	}
	const texts = (key: string) => {
		const found: string[] = [];
		const read = readTexts(value[key], `permissions.${key}`, found);
		const closes = key === "deny" || key === "ask" ? ({ mayLoseBans } as const) : {};
		faults.push(...found.map((reason) => ({ path, reason, ...closes })));
		return read;
	};
	const mode = value.defaultMode;
	if (mode !== undefined && !isPermissionMode(mode)) {
		const reason = `permissions.defaultMode ${JSON.stringify(mode)} is not one of ${PERMISSION_MODES.join(", ")}`;
		faults.push({ path, reason });
	}
	return {
		lists: { allow: texts("allow"), ask: texts("ask"), deny: texts("deny") },
		...(isPermissionMode(mode) ? { defaultMode: mode } : {}),
		additionalDirectories: texts("additionalDirectories"),
	};
}

function readTexts(value: unknown, place: string, reasons: string[]): string[] {
	if (value === undefined || value === null) return [];
	if (!Array.isArray(value)) {
		reasons.push(`${place} must be a list of texts`);
		return [];
	}
	const texts: string[] = [];
	for (const [index, item] of value.entries()) {
		if (typeof item === "string") texts.push(item);
		else reasons.push(`${place}[${index}] must be text`);
	}
	return texts;
}
