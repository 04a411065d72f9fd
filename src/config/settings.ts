// Merges the settings files into one: lists joined with the file each part came from, scalars from the strongest
// file. Decides what a project's own files may say before the person has trusted the folder. Main thread.

import type { HooksConfig } from "../hooks/hook-config.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { RuleLists } from "../permissions/rules/parse-rule.ts";
import type { RuleSource } from "../permissions/rules/rule.ts";
import type { ConfigFault } from "./fault.ts";
import { createFileCache, type FileCache } from "./file-cache.ts";
import { joinHooks } from "./hooks-section.ts";
import { createOwnRules } from "./own-rules.ts";
import type { ProjectFiles } from "./project-folders.ts";
import { readSettingsFiles } from "./settings-files.ts";
import { readPart, restrictPart, type SettingsPart } from "./settings-part.ts";

export interface LoadSettingsOptions {
	readonly cwd: string;
	readonly homeDir: string;
	/** @default "untrusted" */
	readonly projectFiles?: ProjectFiles;
	/** `--settings`: a path, or JSON text that starts with `{`. */
	readonly settings?: string;
	readonly files?: FileCache;
}

/** The rules of one file, ready for `parseRules`. */
export interface SourcedRules {
	readonly source: RuleSource;
	readonly lists: RuleLists;
}

export interface Settings {
	readonly permissions: {
		/** Strongest file first. */
		readonly rules: readonly SourcedRules[];
		readonly defaultMode?: PermissionMode;
		/** Absolute. */
		readonly additionalDirectories: readonly string[];
	};
	readonly hooks: HooksConfig;
	/** Nobody's hooks run, those of agent files included. */
	readonly hooksDisabled: boolean;
	/** For child processes; holds no provider credentials. */
	readonly env: Readonly<Record<string, string>>;
	readonly model?: string;
	/** Every key that has no meaning here, from the strongest file that has it. */
	readonly other: Readonly<Record<string, unknown>>;
}

export interface LoadedSettings {
	readonly settings: Settings;
	/** The files that were read, strongest first. */
	readonly files: readonly string[];
	readonly faults: readonly ConfigFault[];
	/** What waits for the person's trust in the folder: `3 hooks in /repo/.claude/settings.json`, and each on its line. */
	readonly withheld: readonly string[];
}

export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
	const { cwd, homeDir, projectFiles = "untrusted", files = createFileCache() } = options;
	const flag = options.settings === undefined ? {} : { settings: options.settings };
	const { found, faults } = await readSettingsFiles({ cwd, homeDir, projectFiles, files, ...flag });
	const parts = found.map((file) => readPart(file, homeDir));
	const ownRules = createOwnRules(homeDir);
	const counting = await Promise.all(
		parts.map(async (part) => {
			if (part.file.scope !== "project" || projectFiles === "trusted") return { part, withheld: [] };
			return restrictPart(part, await ownRules.among(part.file.path, part.lists.allow ?? []));
		}),
	);
	return {
		settings: mergeParts(counting.map(({ part }) => part)),
		files: found.map((file) => file.path),
		faults: [...faults, ...parts.flatMap((part) => part.faults)],
		withheld: counting.flatMap(({ withheld }) => withheld),
	};
}

function mergeParts(parts: readonly SettingsPart[]): Settings {
	const weakestFirst = parts.toReversed();
	const defaultMode = parts.find((part) => part.defaultMode !== undefined)?.defaultMode;
	const model = parts.find((part) => part.model !== undefined)?.model;
	const hooksOff = parts.find((part) => part.disablesHooks !== undefined)?.disablesHooks === true;
	return {
		permissions: {
			rules: parts.map(({ file, lists }) => ({
				source: { scope: file.scope, label: file.path, root: file.root },
				lists,
			})),
			...(defaultMode === undefined ? {} : { defaultMode }),
			additionalDirectories: [...new Set(parts.flatMap((part) => part.additionalDirectories))],
		},
		hooks: hooksOff ? {} : parts.reduce<HooksConfig>((joined, part) => joinHooks(joined, part.hooks), {}),
		hooksDisabled: hooksOff,
		env: Object.assign({}, ...weakestFirst.map((part) => part.env)),
		...(model === undefined ? {} : { model }),
		other: Object.assign({}, ...weakestFirst.map((part) => part.other)),
	};
}
