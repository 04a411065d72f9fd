// The model's credentials: from the environment, from the person's own settings, or as a complete set from a file
// that came with the working folder. The only place that reads a key out of a file; what it returns goes to the
// gateway thread and nowhere else.

import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { createFileCache, type FileCache } from "./file-cache.ts";
import type { ProjectFiles } from "./project-folders.ts";
import { readSettingsFiles } from "./settings-files.ts";
import { readEnvSection } from "./settings-part.ts";

export interface ModelCredentials {
	readonly apiKey?: string;
	readonly authToken?: string;
	readonly baseUrl?: string;
	/** `ANTHROPIC_MODEL`, else `MODEL_NAME`. */
	readonly model?: string;
}

export interface LoadedCredentials {
	readonly credentials: ModelCredentials;
	/** Where key and address came from, for `/doctor`; holds no value. */
	readonly source: string;
	/** What was left out and why; holds no value. */
	readonly notes: readonly string[];
	/** `CLOWDER_*` from the `.env` of a trusted folder, for names the environment does not have. */
	readonly clowderEnv: Readonly<Record<string, string>>;
}

export interface LoadCredentialsOptions {
	readonly cwd: string;
	readonly homeDir: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** @default "untrusted" */
	readonly projectFiles?: ProjectFiles;
	readonly settings?: string;
	readonly files?: FileCache;
}

type Env = Readonly<Record<string, string | undefined>>;

export async function loadModelCredentials(options: LoadCredentialsOptions): Promise<LoadedCredentials> {
	const { cwd, homeDir, projectFiles = "untrusted", files = createFileCache() } = options;
	const flag = options.settings === undefined ? {} : { settings: options.settings };
	const found = (await readSettingsFiles({ cwd, homeDir, projectFiles, files, ...flag })).found;
	const envOf = (scope: "own" | "project") =>
		found.filter((file) => (file.scope === "project") === (scope === "project"));
	// As in Claude Code, what the person's settings say about the environment goes over the environment itself.
	const own: Env = Object.assign(
		{},
		options.env,
		...envOf("own")
			.toReversed()
			.map((file) => readEnvSection(file, [])),
	);
	const foreign = projectFiles === "trusted" ? envOf("project") : [];
	const dotEnvPath = join(resolve(cwd), ".env");
	const dotEnv = projectFiles === "excluded" ? {} : await readDotEnv(dotEnvPath, files);
	const sources = [
		...foreign.map((file) => ({ path: file.path, env: readEnvSection(file, []) as Env })),
		{ path: dotEnvPath, env: dotEnv },
	];
	const clowder = Object.entries(dotEnv).filter(([name]) => name.startsWith("CLOWDER_") && !own[name]);
	return {
		...chooseCredentials(own, sources),
		clowderEnv: projectFiles === "trusted" ? (Object.fromEntries(clowder) as Record<string, string>) : {},
	};
}

interface EnvSource {
	readonly path: string;
	readonly env: Env;
}

/**
 * Decides which key goes to which address. A file from the working folder may bring a key and an address of its
 * own, never an address for the person's key: a cloned repository could send that key anywhere.
 */
export function chooseCredentials(own: Env, files: readonly EnvSource[]): Omit<LoadedCredentials, "clowderEnv"> {
	const notes: string[] = [];
	const withKey = hasKey(own) ? undefined : files.find((file) => hasKey(file.env));
	for (const file of files) {
		if (file === withKey || !given(file.env, "ANTHROPIC_BASE_URL")) continue;
		const why = hasKey(file.env)
			? "the key in force comes from elsewhere"
			: "an address counts only together with a key from the same file";
		notes.push(`ANTHROPIC_BASE_URL in ${file.path} is ignored: ${why}`);
	}
	const keys = withKey?.env ?? own;
	const apiKey = given(keys, "ANTHROPIC_API_KEY");
	const authToken = given(keys, "ANTHROPIC_AUTH_TOKEN");
	const baseUrl = given(keys, "ANTHROPIC_BASE_URL") ?? given(own, "ANTHROPIC_BASE_URL");
	const model = [own, ...files.map((file) => file.env)].map(modelOf).find((name) => name !== undefined);
	return {
		credentials: {
			...(apiKey === undefined ? {} : { apiKey }),
			...(authToken === undefined ? {} : { authToken }),
			...(baseUrl === undefined ? {} : { baseUrl }),
			...(model === undefined ? {} : { model }),
		},
		source: withKey?.path ?? (hasKey(own) ? "environment" : "none"),
		notes,
	};
}

// An empty variable is as good as none, and a pasted line break is no part of a key.
function given(env: Env, name: string): string | undefined {
	return env[name]?.trim() || undefined;
}

function hasKey(env: Env): boolean {
	return (given(env, "ANTHROPIC_API_KEY") ?? given(env, "ANTHROPIC_AUTH_TOKEN")) !== undefined;
}

function modelOf(env: Env): string | undefined {
	return given(env, "ANTHROPIC_MODEL") ?? given(env, "MODEL_NAME");
}

async function readDotEnv(path: string, files: FileCache): Promise<Env> {
	const read = await files.read(path, parseDotEnv);
	return read.kind === "read" ? read.value : {};
}

const parseDotEnv = (text: string): Env => parseEnv(text.replace(/^\uFEFF/, ""));
