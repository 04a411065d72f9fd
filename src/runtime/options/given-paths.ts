// The folders and modules that a program names: whether they are there is looked at when a supervisor starts. A module
// is never loaded here, its code belongs into the threads.

import { realpath, stat } from "node:fs/promises";
import { extname, isAbsolute, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ClowderError } from "../../errors.ts";

/** The folder this process works in, which threads need as well. @throws ERR_FILE when it was removed */
export function currentFolder(): string {
	try {
		return process.cwd();
	} catch (cause) {
		throw new ClowderError("ERR_FILE", "The folder that this process works in does not exist any more", {
			remedy: "Change to an existing one and start again",
			cause,
		});
	}
}

/** Its real path. @throws ERR_FILE */
export async function checkFolder(option: string, path: string): Promise<string> {
	const folder = resolve(path);
	const found = await look(folder);
	if (typeof found === "object" && found.isDirectory()) return realpath(folder);
	const why = typeof found === "object" ? "it is not a folder" : found;
	throw new ClowderError("ERR_FILE", `The ${option} ${folder} cannot be used: ${why}`, {
		remedy: "Name an existing folder",
	});
}

const TYPESCRIPT = new Set([".ts", ".mts", ".cts", ".tsx"]);

/** The file URL of a module that a thread will load. @throws ERR_BAD_OPTION, ERR_FILE */
export async function checkModule(what: string, module: string | URL): Promise<string> {
	const url = moduleUrl(what, module);
	const file = fileURLToPath(url);
	const found = await look(file);
	if (typeof found === "string" || !found.isFile()) {
		const why = typeof found === "string" ? found : "it is not a file";
		throw new ClowderError("ERR_FILE", `The ${what} ${file} cannot be used: ${why}`, {
			remedy: "Name the file itself, with its extension",
		});
	}
	if (TYPESCRIPT.has(extname(file)) && !threadsTakeTypeScript()) {
		throw new ClowderError("ERR_FILE", `The ${what} ${file} cannot be used: this Node loads no TypeScript in threads`, {
			remedy: "Name the JavaScript it is built to, or use Node 22.18 or later",
		});
	}
	return url;
}

function moduleUrl(what: string, module: string | URL): string {
	const text = typeof module === "string" ? module : module.href;
	if (isAbsolute(text)) return pathToFileURL(text).href;
	if (/^file:\/\/\/./.test(text) && URL.canParse(text)) return new URL(text).href;
	throw new ClowderError("ERR_BAD_OPTION", `The ${what} '${text}' is neither an absolute path nor a file URL`, {
		remedy: "Give e.g. new URL('./tool.js', import.meta.url)",
	});
}

/** By Node itself, or by a loader of the command line, which threads get as well; tsx's works on the main thread alone. */
function threadsTakeTypeScript(): boolean {
	if ("typescript" in process.features && process.features.typescript) return true;
	const flags = process.execArgv.join(" ");
	return /--import|--(?:experimental-)?loader/.test(flags) && !/\btsx\b/.test(flags);
}

async function look(path: string) {
	try {
		return await stat(path);
	} catch (thrown) {
		const { code = "unknown" } = thrown as NodeJS.ErrnoException;
		return code === "ENOENT" ? "it does not exist" : code;
	}
}
