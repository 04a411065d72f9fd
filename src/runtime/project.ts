// What people already have on disk for a project: settings, agent files, instructions, credentials. Read once, when
// a supervisor starts that was told to; an embedding service reads nothing it was not told of.

import { realpath } from "node:fs/promises";
import type { AgentDefinition } from "../config/agent-definition.ts";
import { loadAgentFiles } from "../config/agent-files.ts";
import { loadCommands, type SlashCommand } from "../config/commands.ts";
import { loadModelCredentials } from "../config/env-file.ts";
import { type ConfigFault, formatFault } from "../config/fault.ts";
import { createFileCache } from "../config/file-cache.ts";
import { type InstructionSection, loadInstructions } from "../config/instructions.ts";
import type { ProjectFiles } from "../config/project-folders.ts";
import { loadSettings, type SourcedRules } from "../config/settings.ts";
import { loadSkills, type Skill } from "../config/skills.ts";
import { ClowderError } from "../errors.ts";
import type { HooksConfig } from "../hooks/hook-config.ts";
import type { PermissionMode } from "../permissions/modes.ts";
import type { Environment } from "./options/environment.ts";

/** Which files count. */
export interface ProjectOptions {
	/**
	 * How far the project's own files count. `trusted`: all of it, allow rules, hooks and commands included. `untrusted`:
	 * what only informs or forbids. `excluded`: nothing, only the home folder's. @default "untrusted"
	 */
	readonly files?: ProjectFiles;
	/** A settings file, or JSON text, that wins over all others. */
	readonly settings?: string;
	/** Agent types as JSON, stronger than any file. */
	readonly agents?: string;
}

export interface Project {
	readonly agents: readonly AgentDefinition[];
	readonly rules: readonly SourcedRules[];
	/** Settings files that cannot be read, wholly or in what they forbid or have asked about. */
	readonly doubtful: readonly string[];
	readonly mode: PermissionMode | undefined;
	/** Real paths. */
	readonly additionalDirectories: readonly string[];
	readonly hooks: HooksConfig;
	readonly instructions: readonly InstructionSection[];
	readonly skills: readonly Skill[];
	readonly commands: readonly SlashCommand[];
	readonly model: string | undefined;
	/** The environment with the credentials that count, and the settings' own variables. */
	readonly env: Environment;
	/** Files and parts of files that could not be used, one line each. */
	readonly faults: readonly string[];
	/** What waits for the person's trust in the folder: how much of what where, and below it each on a line of its own. */
	readonly withheld: readonly string[];
}

export interface LoadProjectOptions {
	readonly cwd: string;
	readonly homeDir: string;
	readonly env: Environment;
	readonly project: ProjectOptions | undefined;
}

/** @throws ERR_BAD_OPTION where a flag's settings or agents cannot be read */
export async function loadProject({ cwd, homeDir, env, project }: LoadProjectOptions): Promise<Project> {
	if (!project) return noProject(env);
	const projectFiles = project.files ?? "untrusted";
	const common = { cwd, homeDir, projectFiles, files: createFileCache() };
	const flag = project.settings === undefined ? {} : { settings: project.settings };
	const [settings, agents, instructions, credentials, skills, commands] = await Promise.all([
		loadSettings({ ...common, ...flag }),
		loadAgentFiles({ ...common, ...(project.agents === undefined ? {} : { cliAgents: project.agents }) }),
		loadInstructions(common),
		loadModelCredentials({ ...common, ...flag, env }),
		loadSkills(common),
		loadCommands(common),
	]);
	const { permissions, hooks, model } = settings.settings;
	const faults = [...settings.faults, ...agents.faults, ...instructions.notes, ...skills.faults, ...commands.faults];
	stopAtFlag(faults);
	return {
		agents: settings.settings.hooksDisabled ? agents.agents.map(withoutHooks) : agents.agents,
		rules: permissions.rules,
		doubtful: [...new Set(faults.flatMap(({ path, mayLoseBans }) => (mayLoseBans ? [path] : [])))],
		mode: permissions.defaultMode,
		additionalDirectories: await realFolders(permissions.additionalDirectories),
		hooks,
		instructions: instructions.sections,
		model,
		env: withCredentials({ ...env, ...settings.settings.env, ...credentials.clowderEnv }, credentials.credentials),
		faults: [...faults.map(formatFault), ...credentials.notes],
		withheld: [...settings.withheld, ...commands.withheld],
		skills: skills.skills,
		commands: commands.commands,
	};
}

function stopAtFlag(faults: readonly ConfigFault[]): void {
	const fault = faults.find(({ mayLoseBans }) => mayLoseBans === "flag");
	if (fault) throw new ClowderError("ERR_BAD_OPTION", formatFault(fault), { remedy: "Correct it" });
}

function withoutHooks({ hooks: _hooks, ...agent }: AgentDefinition): AgentDefinition {
	return agent;
}

// One that does not exist yet is taken as it is written.
function realFolders(paths: readonly string[]): Promise<string[]> {
	return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

function noProject(env: Environment): Project {
	return {
		agents: [],
		rules: [],
		doubtful: [],
		mode: undefined,
		additionalDirectories: [],
		hooks: {},
		instructions: [],
		skills: [],
		commands: [],
		model: undefined,
		env,
		faults: [],
		withheld: [],
	};
}

/** The set that was chosen, whole: never one file's address with another place's key. */
function withCredentials(
	env: Environment,
	chosen: { readonly apiKey?: string; readonly authToken?: string; readonly baseUrl?: string; readonly model?: string },
): Environment {
	return {
		...env,
		ANTHROPIC_API_KEY: chosen.apiKey,
		ANTHROPIC_AUTH_TOKEN: chosen.authToken,
		ANTHROPIC_BASE_URL: chosen.baseUrl,
		ANTHROPIC_MODEL: chosen.model,
	};
}
