// Which folders belong to a project: from the working folder up to the repository root. The home folder is never
// one of them, because what it holds is the person's own and not a project's.

import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Where a project's own files count: fully, only as far as they restrict, or not at all (`--no-project-settings`). */
export type ProjectFiles = "trusted" | "untrusted" | "excluded";

/** Our own folder first: it wins over Claude Code's. */
export const CONFIG_FOLDERS = [".clowder", ".claude"] as const;

export interface Project {
	readonly cwd: string;
	/** The repository root, or `cwd` outside any repository. What trust is given to. */
	readonly root: string;
	/** From `cwd` up to `root`, nearest first, without the home folder. */
	readonly folders: readonly string[];
}

export async function findProject(cwd: string, homeDir: string): Promise<Project> {
	const start = resolve(cwd);
	const upward = pathsUpward(start);
	let root = start;
	for (const folder of upward) {
		if (!(await exists(join(folder, ".git")))) continue;
		root = folder;
		break;
	}
	const home = resolve(homeDir);
	const folders = upward.slice(0, upward.indexOf(root) + 1).filter((folder) => folder !== home);
	return { cwd: start, root, folders };
}

/** `folder` and everything above it, nearest first. */
export function pathsUpward(folder: string): string[] {
	const paths = [folder];
	for (let path = folder; dirname(path) !== path; ) {
		path = dirname(path);
		paths.push(path);
	}
	return paths;
}

async function exists(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		() => false,
	);
}

export interface ConfigPlace {
	readonly kind: "project" | "user";
	/** E.g. `/repo/.claude/agents`. */
	readonly path: string;
}

/** The folders called `name` in every configuration folder, strongest first: project from near to far, then home. */
export async function configPlaces(options: {
	readonly cwd: string;
	readonly homeDir: string;
	readonly projectFiles: ProjectFiles;
	readonly name: string;
}): Promise<ConfigPlace[]> {
	const project = await findProject(options.cwd, options.homeDir);
	const folders = options.projectFiles === "excluded" ? [] : project.folders;
	const inside = (folder: string, kind: ConfigPlace["kind"]) =>
		CONFIG_FOLDERS.map((config): ConfigPlace => ({ kind, path: join(folder, config, options.name) }));
	return [...folders.flatMap((folder) => inside(folder, "project")), ...inside(resolve(options.homeDir), "user")];
}
