// Reads `.mcp.json` and `--mcp-config`: which MCP servers there are and how to reach them. Starts nothing.

import { join, resolve } from "node:path";
import { isRecord } from "../lib/is-record.ts";
import { withoutCredentials } from "../lib/provider-credentials.ts";
import { expandVariables } from "./expand-variables.ts";
import type { ConfigFault } from "./fault.ts";
import { createFileCache, type FileCache } from "./file-cache.ts";
import { readJsonObject, readJsonText } from "./json-file.ts";
import { findProject, type ProjectFiles } from "./project-folders.ts";
import { withheldText } from "./withheld.ts";

export type McpServer = { readonly name: string; readonly source: "flag" | "project"; readonly path: string } & (
	| {
			readonly type: "stdio";
			readonly command: string;
			readonly args: readonly string[];
			readonly env: Readonly<Record<string, string>>;
	  }
	| { readonly type: "http" | "sse"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
);

export interface LoadMcpFilesOptions {
	readonly cwd: string;
	readonly homeDir: string;
	/** For `${VAR}`; provider credentials in it are not given to any server. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** @default "untrusted" */
	readonly projectFiles?: ProjectFiles;
	/** `--mcp-config`, each a path or JSON text that starts with `{`. They win over the project's files. */
	readonly mcpConfigs?: readonly string[];
	readonly files?: FileCache;
}

export interface LoadedMcpServers {
	readonly servers: readonly McpServer[];
	readonly faults: readonly ConfigFault[];
	/** What waits for the person's trust in the folder. */
	readonly withheld: readonly string[];
}

export async function loadMcpFiles(options: LoadMcpFilesOptions): Promise<LoadedMcpServers> {
	const { cwd, homeDir, projectFiles = "untrusted", mcpConfigs = [], files = createFileCache() } = options;
	const env = withoutCredentials(options.env);
	const servers = new Map<string, McpServer>();
	const faults: ConfigFault[] = [];
	const withheld: string[] = [];

	function addAll(value: Readonly<Record<string, unknown>>, source: McpServer["source"], path: string): void {
		const entries = value.mcpServers ?? {};
		if (!isRecord(entries)) {
			faults.push({ path, reason: "mcpServers must be an object" });
			return;
		}
		for (const [written, entry] of Object.entries(entries)) {
			// The name becomes part of tool names, which take no other characters.
			const name = written.replace(/[^A-Za-z0-9_-]/g, "_");
			const server = readMcpServer(entry, env);
			if (typeof server === "string") faults.push({ path, reason: `the server '${written}' is ignored: ${server}` });
			else if (!servers.has(name)) servers.set(name, { ...server, name, source, path });
		}
	}

	for (const given of mcpConfigs) {
		const isText = given.trimStart().startsWith("{");
		const path = isText ? "--mcp-config" : resolve(cwd, given);
		const read = isText ? readJsonText(given, path) : await readJsonObject(path, files);
		if (read.fault) faults.push(read.fault);
		else if (read.value) addAll(read.value, "flag", path);
		else faults.push({ path, reason: "there is no such file (--mcp-config)" });
	}
	const folders = projectFiles === "excluded" ? [] : (await findProject(cwd, homeDir)).folders;
	for (const path of folders.map((folder) => join(folder, ".mcp.json"))) {
		const read = await readJsonObject(path, files);
		if (read.fault) faults.push(read.fault);
		const asked = isRecord(read.value?.mcpServers) ? Object.entries(read.value.mcpServers) : [];
		if (projectFiles === "untrusted") {
			const named = asked.map(([name, entry]) => `${name}: ${JSON.stringify(entry)}`);
			if (named.length > 0) withheld.push(withheldText("MCP server", named, path));
		} else if (read.value) addAll(read.value, "project", path);
	}
	return { servers: [...servers.values()], faults, withheld };
}

type Reach =
	| Omit<Extract<McpServer, { type: "stdio" }>, "name" | "source" | "path">
	| Omit<Extract<McpServer, { type: "http" | "sse" }>, "name" | "source" | "path">;

/** Reads one entry of `mcpServers`; a text says what is wrong with it. Agent files hold such entries too. */
export function readMcpServer(entry: unknown, env: Readonly<Record<string, string>>): Reach | string {
	if (!isRecord(entry)) return "it must be an object";
	const missing = new Set<string>();
	const expand = (text: string) => expandVariables(text, env, (variable) => missing.add(variable));
	const type = entry.type ?? (entry.url === undefined ? "stdio" : "http");
	const reach = type === "stdio" ? readStdio(entry, expand) : readRemote(type, entry, expand);
	if (typeof reach === "string" || missing.size === 0) return reach;
	return `the environment has no ${[...missing].join(", ")} (write \${NAME:-default} to do without)`;
}

type Expand = (text: string) => string;

function readStdio(entry: Readonly<Record<string, unknown>>, expand: Expand): Reach | string {
	const { command, args = [] } = entry;
	if (typeof command !== "string" || command.trim() === "") return "it has no command";
	if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) return "args must be a list of texts";
	const env = readTexts(entry.env, expand);
	if (!env) return "env must be an object of texts";
	return { type: "stdio", command: expand(command), args: args.map(expand), env };
}

function readRemote(type: unknown, entry: Readonly<Record<string, unknown>>, expand: Expand): Reach | string {
	// `streamable-http` is the protocol's own name for what the files call http.
	const kind = type === "streamable-http" ? "http" : type;
	if (kind !== "http" && kind !== "sse") return `its type ${JSON.stringify(type)} is not one of stdio, http, sse`;
	if (typeof entry.url !== "string") return "it has no url";
	const headers = readTexts(entry.headers, expand);
	if (!headers) return "headers must be an object of texts";
	const url = expand(entry.url);
	if (!/^https?:\/\//i.test(url) && !url.includes("${")) return "its url must start with http:// or https://";
	return { type: kind, url, headers };
}

function readTexts(value: unknown, expand: Expand): Record<string, string> | undefined {
	if (value === undefined || value === null) return {};
	if (!isRecord(value) || !Object.values(value).every((item) => typeof item === "string")) return undefined;
	return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expand(String(item))]));
}
