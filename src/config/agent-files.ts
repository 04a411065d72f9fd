// Finds the agent types people have written down: `--agents`, the project's folders from near to far, the home
// folder. The first definition of a name wins. Runs on the main thread.

import { messageOf } from "../errors.ts";
import { isRecord } from "../lib/is-record.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { AGENT_FIELDS, type AgentReading, readAgentFields } from "./agent-fields.ts";
import type { ConfigFault } from "./fault.ts";
import { createFileCache, type FileCache } from "./file-cache.ts";
import { type FrontMatter, readFrontMatter } from "./front-matter.ts";
import { listMarkdownFiles } from "./list-files.ts";
import { configPlaces, type ProjectFiles } from "./project-folders.ts";

export interface LoadAgentFilesOptions {
	readonly cwd: string;
	readonly homeDir: string;
	/** `--agents`: JSON text, or the object it stands for. */
	readonly cliAgents?: string | Readonly<Record<string, unknown>>;
	/** Hooks, MCP servers and loosening permission modes of a project's agents count only when trusted. @default "untrusted" */
	readonly projectFiles?: ProjectFiles;
	readonly files?: FileCache;
}

export interface LoadedAgents {
	/** One per name, strongest source first. */
	readonly agents: readonly AgentDefinition[];
	readonly faults: readonly ConfigFault[];
}

export async function loadAgentFiles(options: LoadAgentFilesOptions): Promise<LoadedAgents> {
	const { cwd, homeDir, projectFiles = "untrusted", files = createFileCache() } = options;
	const agents = new Map<string, AgentDefinition>();
	const faults: ConfigFault[] = [];

	const placeOf = new Map<string, string>();

	function add(reading: AgentReading, place: string): void {
		faults.push(...reading.faults);
		const { agent } = reading;
		if (!agent) return;
		const earlier = agents.get(agent.name);
		if (!earlier) {
			agents.set(agent.name, agent);
			placeOf.set(agent.name, place);
		} else if (placeOf.get(agent.name) === place) {
			// From another place it is an override, and meant.
			const path = agent.source.path ?? place;
			faults.push({ path, reason: `ignored: ${earlier.source.path} has the name '${agent.name}' already` });
		}
	}

	for (const reading of readCliAgents(options.cliAgents)) add(reading, GIVEN);
	for (const place of await configPlaces({ cwd, homeDir, projectFiles, name: "agents" })) {
		const found = await listMarkdownFiles(place.path);
		faults.push(...found.faults);
		for (const path of found.paths) {
			const reading = await readAgentFile(path, place.kind, files);
			const limited = place.kind === "project" && projectFiles === "untrusted";
			add(limited && reading.agent ? { ...reading, agent: withoutPowers(reading.agent) } : reading, place.path);
		}
	}
	return { agents: [...agents.values()], faults };
}

/** Reads one agent file. A README without front matter is no agent and no fault. */
export async function readAgentFile(path: string, kind: "project" | "user", files: FileCache): Promise<AgentReading> {
	const read = await files.read(path, parseAgentFile);
	if (read.kind === "missing") return { faults: [] };
	if (read.kind === "unreadable") return { faults: [{ path, reason: `refused: ${read.reason}` }] };
	const matter = read.value;
	if (matter.kind === "bad") return { faults: [{ path, line: matter.line, reason: `refused: ${matter.reason}` }] };
	if (matter.kind === "absent") {
		if (/(^|\/)readme\.md$/i.test(path)) return { faults: [] };
		return { faults: [{ path, line: 1, reason: "refused: it does not start with front matter (a line ---)" }] };
	}
	return readAgentFields(matter.fields, matter.body, path, { kind, path });
}

const parseAgentFile = (text: string): FrontMatter => readFrontMatter(text, AGENT_FIELDS);

/** What faults of agents that no file holds are about. */
const GIVEN = "the option `project.agents`";

function readCliAgents(given: LoadAgentFilesOptions["cliAgents"]): AgentReading[] {
	if (given === undefined) return [];
	const path = GIVEN;
	let value: unknown = given;
	if (typeof given === "string") {
		try {
			value = JSON.parse(given);
		} catch (thrown) {
			return [{ faults: [{ path, reason: `it is no JSON: ${messageOf(thrown)}`, mayLoseBans: "flag" }] }];
		}
	}
	if (!isRecord(value))
		return [{ faults: [{ path, reason: "it must be an object with one entry per agent", mayLoseBans: "flag" }] }];
	return Object.entries(value).map(([name, entry]): AgentReading => {
		if (!isRecord(entry)) return { faults: [{ path, reason: `the agent '${name}' must be an object` }] };
		const { prompt, ...rest } = entry;
		if (typeof prompt !== "string") return { faults: [{ path, reason: `the agent '${name}' has no prompt` }] };
		const fields = new Map(Object.entries({ ...rest, name }).map(([key, item]) => [key, { value: item, line: 0 }]));
		return readAgentFields(fields, prompt, `${path} ${name}`, { kind: "flag" });
	});
}

// Nobody has vouched for this project yet: its agents may neither start commands nor open what rules closed.
function withoutPowers(agent: AgentDefinition): AgentDefinition {
	const { hooks: _hooks, mcpServers: _servers, permissionMode, ...rest } = agent;
	const restricts = permissionMode === "plan" || permissionMode === "dontAsk" || permissionMode === "default";
	return restricts ? { ...rest, permissionMode } : rest;
}
