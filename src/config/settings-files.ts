// Which settings files there are, strongest first: `--settings`, the project's folders from near to far, home.

import { join, resolve } from "node:path";
import { ClowderError } from "../errors.ts";
import { type ConfigFault, formatFault } from "./fault.ts";
import type { FileCache } from "./file-cache.ts";
import { readJsonObject, readJsonText } from "./json-file.ts";
import { CONFIG_FOLDERS, findProject, type ProjectFiles } from "./project-folders.ts";

export interface SettingsOptions {
	readonly cwd: string;
	readonly homeDir: string;
	readonly projectFiles: ProjectFiles;
	/** `--settings`: a path, or JSON text that starts with `{`. */
	readonly settings?: string;
	readonly files: FileCache;
}

export interface SettingsFile {
	/** `project`: came with the folder, so that much of it needs the person's trust. */
	readonly scope: "flag" | "project" | "user";
	/** Absolute path, or `--settings`. */
	readonly path: string;
	/** The folder its relative patterns start at. */
	readonly root: string;
	readonly value: Readonly<Record<string, unknown>>;
}

export interface SettingsFiles {
	/** Strongest first. */
	readonly found: readonly SettingsFile[];
	readonly faults: readonly ConfigFault[];
}

/** Reads every settings file that exists. @throws ERR_FILE when the one that was given cannot be used: it may hold what is denied */
export async function readSettingsFiles(options: SettingsOptions): Promise<SettingsFiles> {
	const found: SettingsFile[] = [];
	const faults: ConfigFault[] = [];
	for (const place of await settingsPlaces(options)) {
		const isText = place.text !== undefined;
		const read = isText ? readJsonText(place.text, place.path) : await readJsonObject(place.path, options.files);
		if (place.scope === "flag" && !read.value)
			throw badGiven(read.fault ?? { path: place.path, reason: "there is no such file" });
		// Rules that deny may stand in it.
		if (read.twin) faults.push({ ...read.twin, mayLoseBans: place.scope === "flag" ? "flag" : "file" });
		if (read.fault) faults.push({ ...read.fault, mayLoseBans: "file" });
		else if (read.value) found.push({ scope: place.scope, path: place.path, root: place.root, value: read.value });
	}
	return { found, faults };
}

interface SettingsPlace extends Omit<SettingsFile, "value"> {
	readonly text?: string;
}

async function settingsPlaces(options: SettingsOptions): Promise<SettingsPlace[]> {
	const { cwd, settings, projectFiles } = options;
	const home = resolve(options.homeDir);
	const project = await findProject(cwd, home);
	const flag: SettingsPlace[] = settings === undefined ? [] : [flagPlace(settings, cwd)];
	const folders = projectFiles === "excluded" ? [] : project.folders;
	const ofProjects = folders.flatMap((root) =>
		CONFIG_FOLDERS.flatMap((folder) =>
			["settings.local.json", "settings.json"].map(
				(name): SettingsPlace => ({ scope: "project", path: join(root, folder, name), root }),
			),
		),
	);
	const ofHome = CONFIG_FOLDERS.map(
		(folder): SettingsPlace => ({ scope: "user", path: join(home, folder, "settings.json"), root: home }),
	);
	return [...flag, ...ofProjects, ...(await localInHome(project.cwd, home)), ...ofHome];
}

/** What faults of settings that no file holds are about. */
const GIVEN = "the option `project.settings`";

function badGiven(fault: ConfigFault): ClowderError {
	return new ClowderError("ERR_BAD_OPTION", `The settings cannot be used: ${formatFault(fault)}`, {
		remedy: "Give an existing file that holds a JSON object, or the object as text",
	});
}

function flagPlace(settings: string, cwd: string): SettingsPlace {
	const root = resolve(cwd);
	if (!settings.trimStart().startsWith("{")) return { scope: "flag", path: resolve(root, settings), root };
	return { scope: "flag", path: GIVEN, root, text: settings };
}

// Whoever works in the home folder itself has the answers "always" written there.
async function localInHome(cwd: string, home: string): Promise<SettingsPlace[]> {
	if (cwd !== home) return [];
	return CONFIG_FOLDERS.map(
		(folder): SettingsPlace => ({ scope: "user", path: join(home, folder, "settings.local.json"), root: home }),
	);
}
