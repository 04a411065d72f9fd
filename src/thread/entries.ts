// The one file that knows where thread entries are. Built code uses the bundle beside it; code running from
// source uses the last build, or the sources themselves where this Node strips types.

import { existsSync } from "node:fs";
import { ClowderError } from "../errors.ts";

export type EntryName = "subagent" | "lead" | "gateway";

/** URL of a thread's entry file. @throws ERR_THREAD_START when there is none to be found. */
export function entryUrl(name: EntryName, override?: URL | string): URL {
	if (override !== undefined) return new URL(`${name}.worker.js`, override);
	const here = import.meta.url;
	if (!here.endsWith(".ts")) return new URL(`./workers/${name}.worker.js`, here);
	const built = new URL(`../../dist/workers/${name}.worker.js`, here);
	if (existsSync(built)) return built;
	if ("typescript" in process.features && process.features.typescript)
		return new URL(`../../workers/${name}.worker.ts`, here);
	throw new ClowderError("ERR_THREAD_START", `The entry of the ${name} thread is not built`, {
		remedy: "Run 'npm run build'",
	});
}
