// Reads one settings file into the parts that settings.ts merges, and takes out of a project's file what needs the
// person's trust.

import { resolve } from "node:path";
import type { HooksConfig } from "../hooks/hook-config.ts";
import { isRecord } from "../lib/is-record.ts";
import { withoutCredentials } from "../lib/provider-credentials.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { RuleLists } from "../permissions/rules/parse-rule.ts";
import type { ConfigFault } from "./fault.ts";
import { readHooksSection } from "./hooks-section.ts";
import { doubtfulTopKeys } from "./lost-rules.ts";
import { readPermissions } from "./permissions-section.ts";
import type { SettingsFile } from "./settings-files.ts";
import { withheldText } from "./withheld.ts";

const KNOWN_KEYS = new Set(["permissions", "hooks", "env", "model", "disableAllHooks", "__proto__"]);

// What one file says, in the shapes of Settings.
export interface SettingsPart {
	readonly file: SettingsFile;
	readonly lists: RuleLists;
	readonly defaultMode?: PermissionMode;
	readonly additionalDirectories: readonly string[];
	readonly hooks: HooksConfig;
	readonly disablesHooks?: boolean;
	readonly env: Readonly<Record<string, string>>;
	readonly model?: string;
	readonly other: Readonly<Record<string, unknown>>;
	readonly faults: readonly ConfigFault[];
}

export function readPart(file: SettingsFile, homeDir: string): SettingsPart {
	const faults: ConfigFault[] = [];
	const mayLoseBans = file.scope === "flag" ? "flag" : "file";
	for (const { reason, mayBan } of doubtfulTopKeys(file.value)) {
		faults.push({ path: file.path, reason, ...(mayBan ? { mayLoseBans } : {}) });
	}
	const permissions = readPermissions(file.value.permissions, file, faults);
	const project = file.scope === "project" ? { projectDir: file.root } : {};
	const hooks = readHooksSection(file.value.hooks, { path: file.path, ...project });
	const { model, disableAllHooks } = file.value;
	if (model !== undefined && typeof model !== "string") faults.push({ path: file.path, reason: "model must be text" });
	const absolute = (path: string) => resolve(file.root, path.replace(/^~(?=\/|$)/, homeDir));
	return {
		file,
		lists: permissions.lists,
		...(permissions.defaultMode === undefined ? {} : { defaultMode: permissions.defaultMode }),
		additionalDirectories: permissions.additionalDirectories.map(absolute),
		hooks: hooks.hooks,
		...(typeof disableAllHooks === "boolean" ? { disablesHooks: disableAllHooks } : {}),
		env: withoutCredentials(readEnvSection(file, faults)),
		...(typeof model === "string" ? { model } : {}),
		other: Object.fromEntries(Object.entries(file.value).filter(([key]) => !KNOWN_KEYS.has(key))),
		faults: [...faults, ...hooks.faults],
	};
}

/**
 * Nobody has vouched for the folder: what its files forbid counts, what they permit or start does not.
 *
 * @param own the allow rules among them that the person had written there
 */
export function restrictPart(
	part: SettingsPart,
	own: ReadonlySet<string>,
): {
	readonly part: SettingsPart;
	readonly withheld: readonly string[];
} {
	const { lists, defaultMode, disablesHooks: _disables, ...rest } = part;
	const { allow = [], ...restricting } = lists;
	const kept = allow.filter((rule) => own.has(rule));
	const opens = defaultMode === "acceptEdits" || defaultMode === "bypassPermissions";
	const asked: readonly (readonly [string, readonly string[]])[] = [
		["allow rule", allow.filter((rule) => !own.has(rule))],
		["hook", listHooks(part.hooks)],
		["environment variable", Object.entries(part.env).map(([name, value]) => `${name}=${value}`)],
		["additional directory", part.additionalDirectories],
	];
	const withheld = asked
		.filter(([, items]) => items.length > 0)
		.map(([what, items]) => withheldText(what, items, part.file.path));
	if (opens) withheld.push(`default mode ${defaultMode} in ${part.file.path}`);
	const limited: SettingsPart = {
		...rest,
		lists: kept.length === 0 ? restricting : { ...restricting, allow: kept },
		...(defaultMode === undefined || opens ? {} : { defaultMode }),
		additionalDirectories: [],
		hooks: {},
		env: {},
		other: {},
	};
	return { part: limited, withheld };
}

function listHooks(hooks: HooksConfig): string[] {
	return Object.entries(hooks).flatMap(([event, groups]) =>
		groups.flatMap((group) =>
			group.hooks.map(({ command }) => `${event}${group.matcher === "" ? "" : ` ${group.matcher}`}: ${command}`),
		),
	);
}

/** The `env` key of one file as texts. */
export function readEnvSection(file: SettingsFile, faults: ConfigFault[]): Record<string, string> {
	const env: Record<string, string> = {};
	const value = file.value.env;
	if (value === undefined || value === null) return env;
	if (!isRecord(value)) {
		faults.push({ path: file.path, reason: "env must be an object" });
		return env;
	}
	for (const [name, item] of Object.entries(value)) {
		if (["string", "number", "boolean"].includes(typeof item)) env[name] = String(item);
		else faults.push({ path: file.path, reason: `env.${name} must be text` });
	}
	return env;
}
