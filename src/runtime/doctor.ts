// Looks whether everything is there that agents need, and says of each thing what it found. Tells no secret.

import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../errors.ts";
import { newId } from "../lib/ids.ts";
import { maxThreadsOfMachine } from "../thread/limits.ts";
import { findRipgrep } from "../tools/process/run-ripgrep.ts";
import type { ModelConfig } from "../wire/model-config.ts";

export interface HealthCheck {
	/** What was looked at. */
	readonly name: string;
	readonly ok: boolean;
	/** What was found, and what to do about it where it is not well. */
	readonly detail: string;
}

export interface DoctorParts {
	readonly modelConfig: ModelConfig;
	/** A folder of the state folder. */
	readonly outputDir: string;
	readonly maxThreads: number;
	/** Files and parts of files that could not be used. */
	readonly faults: readonly string[];
	/** What waits for the person's trust in the folder. */
	readonly withheld: readonly string[];
	readonly env: Readonly<Record<string, string>>;
}

const OLDEST_NODE = [20, 19] as const;
const PROGRAM_MS = 10_000;

export async function examine(parts: DoctorParts): Promise<HealthCheck[]> {
	return [
		checkNode(process.versions.node),
		...(await Promise.all([
			checkProgram("git", "git", parts.env, "worktrees and the project's root need it"),
			checkProgram("ripgrep", await findRipgrep(), parts.env, "grep and glob need it; install @vscode/ripgrep or rg"),
			checkStateFolder(parts.outputDir),
			checkThreads(parts.maxThreads),
		])),
		checkCredentials(parts.modelConfig),
		...checkFiles(parts),
	];
}

export function checkNode(version: string): HealthCheck {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const ok = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
	return { name: "Node.js", ok, detail: ok ? version : `${version}; ${OLDEST_NODE.join(".")} or newer is needed` };
}

async function checkProgram(
	name: string,
	file: string,
	env: Readonly<Record<string, string>>,
	remedy: string,
): Promise<HealthCheck> {
	try {
		const { stdout } = await promisify(execFile)(file, ["--version"], { env, timeout: PROGRAM_MS });
		return { name, ok: true, detail: stdout.split("\n", 1)[0] ?? "" };
	} catch (thrown) {
		return { name, ok: false, detail: `${messageOf(thrown).split("\n", 1)[0]}; ${remedy}` };
	}
}

async function checkStateFolder(folder: string): Promise<HealthCheck> {
	const name = "State folder";
	const probe = join(folder, `.${newId("probe")}`);
	try {
		await writeFile(probe, "", { flag: "wx" });
		await rm(probe, { force: true });
		return { name, ok: true, detail: `${folder} can be written` };
	} catch (thrown) {
		return { name, ok: false, detail: `${messageOf(thrown)}; free space, or its rights, may be missing` };
	}
}

async function checkThreads(maxThreads: number): Promise<HealthCheck> {
	const most = await maxThreadsOfMachine();
	return {
		name: "Agent threads",
		ok: maxThreads <= most,
		detail: `at most ${maxThreads}; this machine carries ${most}`,
	};
}

export function checkCredentials(config: ModelConfig): HealthCheck {
	const name = "Model";
	if (config.provider !== "anthropic") return { name, ok: true, detail: `${config.provider}, which needs no key` };
	const kind = config.apiKey ? "an API key" : config.authToken ? "an auth token" : undefined;
	const where = config.baseUrl === undefined ? "" : ` for ${hostOf(config.baseUrl)}`;
	if (kind === undefined) {
		return { name, ok: false, detail: `${config.model}: no key${where}; set ANTHROPIC_API_KEY` };
	}
	return { name, ok: true, detail: `${config.model}: ${kind} is set${where}` };
}

// An address may hold a password.
function hostOf(url: string): string {
	return URL.canParse(url) ? new URL(url).host : "an address that cannot be read";
}

function checkFiles({ faults, withheld }: DoctorParts): HealthCheck[] {
	const trust =
		withheld.length === 0
			? "nothing waits for your trust in this folder"
			: withheld.map((what) => what.split("\n")[0]).join("; ");
	return [
		{ name: "Settings and agent files", ok: faults.length === 0, detail: faults.join("\n") || "all could be read" },
		{
			name: "Trust",
			ok: withheld.length === 0,
			detail: withheld.length === 0 ? trust : `not in force until you trust the folder: ${trust}`,
		},
	];
}
