// The one file that knows where thread entries are. Built code uses the bundle beside it; code running from
// source uses the last build, or the sources themselves where this Node strips types.

import { existsSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ClowderError } from "../errors.ts";

export type EntryName = "subagent" | "lead" | "gateway";

const FILES: Readonly<Record<EntryName, string>> = {
	subagent: "subagent.cjs",
	lead: "lead.worker.js",
	gateway: "gateway.worker.js",
};

/**
 * URL of a thread's entry file.
 *
 * @param folder where they are instead. @throws ERR_THREAD_START when it is not there, ERR_BAD_OPTION for what is no folder.
 */
export function entryUrl(name: EntryName, folder?: URL | string): URL {
	if (folder !== undefined) return mustExist(new URL(FILES[name], folderUrl(folder)));
	// A bundle in CommonJS has no place of its own.
	const here: string | undefined = import.meta.url;
	if (here === undefined) {
		throw new ClowderError("ERR_THREAD_START", "A bundle in CommonJS does not know where the thread entries are", {
			remedy: "Name the folder with a copy of the package's dist/workers in the option workerUrl",
		});
	}
	if (!here.endsWith(".ts")) return mustExist(new URL(`./workers/${FILES[name]}`, here));
	const built = new URL(`../../dist/workers/${FILES[name]}`, here);
	if (existsSync(built)) return built;
	// The pool's own file is CommonJS and finds the source by itself.
	if ("typescript" in process.features && process.features.typescript)
		return new URL(`../../workers/${FILES[name].replace(/\.js$/, ".ts")}`, here);
	throw new ClowderError("ERR_THREAD_START", `The entry of the ${name} thread is not built`, {
		remedy: "Run 'npm run build'",
	});
}

function mustExist(entry: URL): URL {
	if (existsSync(entry)) return entry;
	throw new ClowderError("ERR_THREAD_START", `There is no thread entry ${fileURLToPath(entry)}`, {
		remedy:
			"Copy the whole folder dist/workers of the package clowder there, or name its place in the option workerUrl",
	});
}

function folderUrl(given: URL | string): URL {
	const url = toUrl(given);
	if (url?.protocol !== "file:" || !isFolder(url)) {
		throw new ClowderError("ERR_BAD_OPTION", `workerUrl '${String(given)}' is not an existing folder`, {
			remedy: "Give the absolute path or the file URL of the folder with the thread entries",
		});
	}
	return url.href.endsWith("/") ? url : new URL(`${url.href}/`);
}

function toUrl(given: URL | string): URL | undefined {
	if (typeof given !== "string") return given;
	if (isAbsolute(given)) return pathToFileURL(given);
	return URL.canParse(given) ? new URL(given) : undefined;
}

function isFolder(url: URL): boolean {
	return statSync(url, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
