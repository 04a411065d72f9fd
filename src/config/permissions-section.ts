// Reads the `permissions` part of a settings file. What a rule text means is for permissions/ to say; here only
// the shape is checked.

import { isRecord } from "../lib/is-record.ts";
import { isPermissionMode, PERMISSION_MODES, type PermissionMode } from "../permissions/modes.ts";
import type { RuleLists } from "../permissions/rules/parse-rule.ts";
import type { ConfigFault } from "./fault.ts";

export interface PermissionsReading {
	readonly lists: RuleLists;
	readonly defaultMode?: PermissionMode;
	/** As written. */
	readonly additionalDirectories: readonly string[];
}

export function readPermissions(value: unknown, path: string, faults: ConfigFault[]): PermissionsReading {
	if (value === undefined || value === null) return { lists: {}, additionalDirectories: [] };
	if (!isRecord(value)) {
		faults.push({ path, reason: "permissions must be an object" });
		return { lists: {}, additionalDirectories: [] };
	}
	const texts = (key: string) => readTexts(value[key], `permissions.${key}`, path, faults);
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

function readTexts(value: unknown, place: string, path: string, faults: ConfigFault[]): string[] {
	if (value === undefined || value === null) return [];
	if (!Array.isArray(value)) {
		faults.push({ path, reason: `${place} must be a list of texts` });
		return [];
	}
	const texts: string[] = [];
	for (const [index, item] of value.entries()) {
		if (typeof item === "string") texts.push(item);
		else faults.push({ path, reason: `${place}[${index}] must be text` });
	}
	return texts;
}
